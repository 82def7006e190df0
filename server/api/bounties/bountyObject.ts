// The bounty object of the specification (section 2): the only place where an indexed bounty becomes JSON.

import { type Address, getAddress } from 'viem';
import type { IndexedBounty, IndexedGuardian, IndexedSubmission } from '../../adapters/hubIndex/bounty.ts';

/** The deployment that a bounty belongs to. */
export interface DeploymentIdentity {
  readonly chainId: number;
  readonly hubAddress: Address;
}

/** The bounty as lists show it: everything but the roster and the Submissions. */
export function bountySummary({ chainId, hubAddress }: DeploymentIdentity, bounty: IndexedBounty) {
  return {
    chain_id: chainId,
    hub_address: getAddress(hubAddress),
    bounty_id: bounty.id,
    poster: getAddress(bounty.poster),
    status: bounty.status,
    winner: bounty.winner && getAddress(bounty.winner),
    submission_deadline: Number(bounty.submissionDeadline),
    judging_deadline_at: Number(bounty.judgingDeadlineAt),
    settlement_timeout_at: Number(bounty.settlementTimeoutAt),
    escrow: { token_address: getAddress(bounty.token), amount: bounty.amount },
    guardian_roster_hash: bounty.guardianRosterHash,
    spec_commitment: bounty.specCommitment,
    submission_count: bounty.submissionCount,
  };
}

/** The whole bounty object. */
export function bountyObject(
  deployment: DeploymentIdentity,
  bounty: IndexedBounty,
  roster: readonly IndexedGuardian[],
  submissions: readonly IndexedSubmission[],
) {
  const { spec_commitment, submission_count, ...summary } = bountySummary(deployment, bounty);
  return {
    ...summary,
    guardian_roster: roster.map(({ name, account, encryptionPublicKey }) => ({
      name,
      account: getAddress(account),
      encryption_public_key: encryptionPublicKey,
    })),
    spec_commitment,
    submissions: submissions.map(({ solver, submissionCommitment }) => ({
      solver: getAddress(solver),
      submission_commitment: submissionCommitment,
    })),
    submission_count,
  };
}
