// Who may publish a challenge: the wallet that the request declares as Poster.

import type { Address } from 'viem';
import type { Policy } from '../policy.ts';
import { requireWallet } from './requireWallet.ts';

/** The signer is `poster_address`. */
export const declaredPoster: Policy<unknown, { readonly poster_address: Address }, unknown, undefined> = {
  rule: 'Signed by the wallet that poster_address declares.',
  async check({ signer, query }) {
    requireWallet(
      signer === query.poster_address,
      'Only the wallet that poster_address declares may publish here.',
    );
    return undefined;
  },
};
