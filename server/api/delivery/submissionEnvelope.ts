// The stored envelope of a Submission that belongs to its bounty and Solver: what wraps and retrievals are bound to.

import type { Address, Hex } from 'viem';
import type { BountyFacts } from '../../adapters/hubIndex/decision.ts';
import type { Services } from '../../adapters/services.ts';
import { readStoredEnvelope } from '../../adapters/storedEnvelope.ts';
import type { Envelope } from '../../protocol/envelope.ts';
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
  services: Services,
): Promise<Envelope> {
  const stored = await readStoredEnvelope(services, bounty.id, submissionCommitment);
  if (stored === undefined) throw refused('No envelope of this commitment was prepared here.');
  const { chainId, hubAddress } = services.config;
  const foreign = contextIssues(stored.envelope.context, {
    chainId,
    hubAddress,
    bountyId: BigInt(bounty.id),
    solverAddress: solver,
    specCommitment: bounty.specCommitment,
  });
  if (foreign.length === 0) return stored.envelope;
  throw refused(
    'This commitment belongs to another Submission: its envelope names another bounty or Solver.',
  );
}

function refused(message: string): ServiceError {
  const issues = [{ path: '/submission_commitment', message }];
  return new ServiceError('invalid_winning_solution_delivery', { issues });
}
