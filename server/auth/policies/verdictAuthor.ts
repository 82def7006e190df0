// Who may publish a written Verdict: a Guardian on the pinned roster of the bounty that the document names, and only the
// Guardian whose Verdict it says it is. The bounty stands in the body alone, so the body is parsed first.

import type { Address } from 'viem';
import { type BountyFacts, readBountyFacts } from '../../adapters/hubIndex/decision.ts';
import type { Policy } from '../policy.ts';
import { isPinnedGuardian } from './pinnedGuardian.ts';
import { requireWallet } from './requireWallet.ts';

/** What a written Verdict says of itself; addresses lower-case. */
export interface AuthoredDocument {
  readonly bountyId: string;
  readonly guardianAddress: Address;
}

/** The signer is the document's Guardian and on the pinned roster. */
export const verdictAuthor: Policy<unknown, unknown, AuthoredDocument, BountyFacts> = {
  rule: 'Signed by the Guardian that the document names, on the pinned roster of the bounty that it names.',
  readsBody: true,
  async check({ signer, body, snapshot }, services) {
    const facts = await readBountyFacts(services.facts, body.bountyId, await snapshot());
    requireWallet(
      signer === body.guardianAddress,
      'Only the Guardian that the document names may publish it.',
    );
    requireWallet(
      isPinnedGuardian(facts, signer),
      "Only a Guardian on the bounty's pinned roster may publish a Verdict.",
    );
    return facts;
  },
};
