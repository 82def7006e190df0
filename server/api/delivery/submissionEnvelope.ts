// The stored envelope of a Submission that belongs to its bounty and Solver: what wraps and retrievals are bound to.

import type { Address, Hex } from 'viem';
import type { BountyFacts } from '../../adapters/hubIndex/decision.ts';
import type { Services } from '../../adapters/services.ts';
import { type Envelope, parseEnvelope } from '../../protocol/envelope.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { contextIssues } from '../../protocol/submissionContext.ts';

/** Names one Submission; addresses and hashes lower-case. */
export interface SubmissionName {
  readonly solver: Address;
  readonly submissionCommitment: Hex;
}

/**
 * Read and check it.
 *
 * @throws ServiceError 400 when the envelope belongs elsewhere, 500 when it does not hash, 503 when it is not there
 */
export async function readSubmissionEnvelope(
  { solver, submissionCommitment }: SubmissionName,
  { bounty }: BountyFacts,
  { byteStore, config }: Services,
): Promise<Envelope> {
  const stored = await byteStore.getEnvelope(bounty.id, submissionCommitment);
  if (stored.state === 'missing') {
    const message = 'No envelope of this commitment is stored here.';
    throw new ServiceError('storage_unavailable', { message, retryAfterSeconds: 60 });
  }
  const parsed = stored.state === 'found' ? parseEnvelope(stored.bytes) : undefined;
  if (!parsed || !('envelope' in parsed)) throw new ServiceError('solver_submission_content_invalid');
  const foreign = contextIssues(parsed.envelope.context, {
    chainId: config.chainId,
    hubAddress: config.hubAddress,
    bountyId: BigInt(bounty.id),
    solverAddress: solver,
    specCommitment: bounty.specCommitment,
  });
  if (foreign.length === 0) return parsed.envelope;
  const message =
    'This commitment belongs to another Submission: its envelope names another bounty or Solver.';
  throw new ServiceError('invalid_winning_solution_delivery', {
    issues: [{ path: '/submission_commitment', message }],
  });
}
