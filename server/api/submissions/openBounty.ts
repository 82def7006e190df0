// Whether a bounty takes Submissions now: open by finalized state that the head agrees with, and before the deadline by
// the chain's own clock.

import { type BountyFacts, requireSettledStatus } from '../../adapters/hubIndex/decision.ts';
import type { Services } from '../../adapters/services.ts';
import { ServiceError } from '../../protocol/errors.ts';

/** @throws ServiceError 400 `invalid_solver_submission` with the state; 503 while the state is not final */
export function requireOpenForSubmissions(facts: BountyFacts, { facts: sources, chain }: Services): void {
  requireSettledStatus(facts, sources);
  const { status, submissionDeadline } = facts.bounty;
  if (status !== 'open') throw refused(`The bounty is ${status}: it accepts nothing any more.`);
  const now = chain.head().timestamp;
  if (now < Number(submissionDeadline)) return;
  throw refused(`The submission deadline ${submissionDeadline} has passed: the chain's clock is at ${now}.`);
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_solver_submission', { issues: [{ path: 'bounty', message }] });
}
