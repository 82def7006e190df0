// The terms of a new bounty as the Hub takes them (IHub.BountyTerms). Amounts in the token's smallest unit, times in
// Unix seconds. Must never carry anything that the challenge or the Hub's current roster and fee do not say.
import type { Address, Hex } from 'viem';

/** `IHub.BountyTerms`. */
export interface BountyTerms {
  readonly specCommitment: Hex;
  readonly token: Address;
  readonly amount: bigint;
  readonly submissionDeadline: number;
  readonly judgingDeadlineAt: number;
  readonly settlementTimeoutAt: number;
  readonly guardianRosterHash: Hex;
  readonly maxFeeBps: number;
}

/** The terms as the ABI encoder takes them. */
export function abiTerms(terms: BountyTerms) {
  return {
    ...terms,
    submissionDeadline: BigInt(terms.submissionDeadline),
    judgingDeadlineAt: BigInt(terms.judgingDeadlineAt),
    settlementTimeoutAt: BigInt(terms.settlementTimeoutAt),
  };
}

/** The terms in words. */
export function readableTerms(terms: BountyTerms) {
  return {
    spec_commitment: terms.specCommitment,
    token: terms.token,
    amount: String(terms.amount),
    submission_deadline: String(terms.submissionDeadline),
    judging_deadline_at: String(terms.judgingDeadlineAt),
    settlement_timeout_at: String(terms.settlementTimeoutAt),
    guardian_roster_hash: terms.guardianRosterHash,
    max_fee_bps: String(terms.maxFeeBps),
  };
}
