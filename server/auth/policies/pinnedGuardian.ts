// Who may publish a written Verdict and wrap a delivery key: a Guardian on the bounty's pinned roster. A later roster
// neither adds nor removes anybody.

import type { Address } from 'viem';
import { type BountyFacts, readBountyFacts } from '../../adapters/hubIndex/decision.ts';
import type { Policy } from '../policy.ts';
import { requireWallet } from './requireWallet.ts';

/** Whether an account is on the bounty's pinned roster. */
export function isPinnedGuardian({ roster }: BountyFacts, account: Address): boolean {
  return roster.some((guardian) => guardian.account === account);
}

/** The signer is on the pinned roster of the bounty in the path. */
export const pinnedGuardian: Policy<{ readonly bounty_id: string }, unknown, unknown, BountyFacts> = {
  rule: "Signed by a Guardian on the bounty's pinned roster.",
  async check({ signer, path, snapshot }, services) {
    const facts = await readBountyFacts(services.facts, path.bounty_id, await snapshot());
    requireWallet(
      isPinnedGuardian(facts, signer),
      "Only a Guardian on the bounty's pinned roster may do this.",
    );
    return facts;
  },
};
