// When a written Verdict is taken: from the submission deadline on, by the chain's clock and by P's; once nothing can be
// recorded any more, only what its Guardian recorded on chain. The machine's clock is never asked.

import { notFinalYet } from '../../adapters/hubIndex/bounty.ts';
import { type BountyFacts, requireSettledStatus } from '../../adapters/hubIndex/decision.ts';
import { hasRecordedReport } from '../../adapters/hubIndex/settlement.ts';
import type { Services } from '../../adapters/services.ts';
import type { AuthoredDocument } from '../../auth/policies/verdictAuthor.ts';
import { type Issue, ServiceError } from '../../protocol/errors.ts';

/**
 * Make sure that this is the time for a document. One that comes before the submission deadline by the chain's own clock
 * passes: that is told with the document's other issues.
 *
 * @throws ServiceError 400 with the state that refuses; 503 while that state is not final
 */
export async function requireJudgingTime(
  document: AuthoredDocument,
  facts: BountyFacts,
  { chain, facts: sources }: Pick<Services, 'chain' | 'facts'>,
): Promise<void> {
  const { bounty, at } = facts;
  const head = chain.head();
  const deadline = Number(bounty.submissionDeadline);
  if (head.timestamp >= deadline && at.pinned.timestamp < deadline) {
    const sinceBlocks = Math.floor((head.timestamp - deadline) / sources.blockTimeSeconds);
    const passedAt = Math.max(at.pinned.number + 1, head.number - sinceBlocks);
    throw notFinalYet(passedAt, at, sources.blockTimeSeconds);
  }
  requireSettledStatus(facts, sources);
  const over = judgingIsOver(facts, head.timestamp);
  if (over === undefined) return;
  const { guardianAddress, reportCommitment } = document;
  if (await hasRecordedReport(sources, bounty.id, guardianAddress, reportCommitment, at)) return;
  const issue: Issue = {
    path: 'bounty',
    message: `${over}: only a document that this Guardian recorded on chain is taken now.`,
  };
  throw new ServiceError('invalid_written_verdict', { issues: [issue] });
}

/** Why the Hub takes no Verdict any more, or undefined while it does. */
function judgingIsOver({ bounty }: BountyFacts, chainNow: number): string | undefined {
  if (bounty.status !== 'open') return `The bounty is ${bounty.status}`;
  if (chainNow >= Number(bounty.judgingDeadlineAt)) return 'The judging deadline has passed';
  return undefined;
}
