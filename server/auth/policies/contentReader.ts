// Who may read a Submission's content: the funding Poster, or a Guardian on the bounty's pinned roster.

import { type BountyFacts, readBountyFacts } from '../../adapters/hubIndex/decision.ts';
import type { Policy } from '../policy.ts';
import { isPinnedGuardian } from './pinnedGuardian.ts';
import { requireWallet } from './requireWallet.ts';

/** The signer is the funding Poster or a pinned Guardian. */
export const contentReader: Policy<{ readonly bounty_id: string }, unknown, unknown, BountyFacts> = {
  rule: "Signed by the funding Poster, or by a Guardian on the bounty's pinned roster.",
  async check({ signer, path, snapshot }, services) {
    const facts = await readBountyFacts(services.facts, path.bounty_id, await snapshot());
    requireWallet(
      signer === facts.bounty.poster || isPinnedGuardian(facts, signer),
      'Only the funding Poster or a Guardian on the pinned roster may read this.',
    );
    return facts;
  },
};
