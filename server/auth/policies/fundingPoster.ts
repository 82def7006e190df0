// Who may retrieve the winning Submission: the funding Poster. That the bounty is awarded is the handler's to check.

import { type BountyFacts, readBountyFacts } from '../../adapters/hubIndex/decision.ts';
import type { Policy } from '../policy.ts';
import { requireWallet } from './requireWallet.ts';

/** The signer funded the bounty in the path. */
export const fundingPoster: Policy<{ readonly bounty_id: string }, unknown, unknown, BountyFacts> = {
  rule: 'Signed by the funding Poster.',
  async check({ signer, path, snapshot }, services) {
    const facts = await readBountyFacts(services.facts, path.bounty_id, await snapshot());
    requireWallet(signer === facts.bounty.poster, 'Only the funding Poster may retrieve the winning work.');
    return facts;
  },
};
