// Who may upload and prepare a Submission: exactly the Solver that the path names.

import type { Address } from 'viem';
import { type BountyFacts, readBountyFacts } from '../../adapters/hubIndex/decision.ts';
import type { Policy } from '../policy.ts';
import { requireWallet } from './requireWallet.ts';

/** The signer is `solver_address`; the facts are the bounty's. */
export const solverInPath: Policy<
  { readonly bounty_id: string; readonly solver_address: Address },
  unknown,
  unknown,
  BountyFacts
> = {
  rule: 'Signed by the Solver in the path.',
  async check({ signer, path, snapshot }, services) {
    requireWallet(signer === path.solver_address, 'Only the Solver in the path may do this.');
    return readBountyFacts(services.facts, path.bounty_id, await snapshot());
  },
};
