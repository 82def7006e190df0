// What the index says of a bounty's end, as the facts that a VerificationRecord is built from. Decides nothing: whether
// the facts agree with each other is said where the record is built.

import type { RecordFacts } from '../protocol/verificationRecord.ts';
import type { IndexedBounty } from './hubIndex/bounty.ts';
import type { IndexedEnd, IndexedPlace } from './hubIndex/settlement.ts';

/**
 * The facts of a bounty that ended.
 *
 * @param byteLength Length of the committed challenge in bytes
 */
export function recordFacts(
  { chainId, hubAddress }: Pick<RecordFacts, 'chainId' | 'hubAddress'>,
  bounty: IndexedBounty,
  { settlement, verdicts }: IndexedEnd,
  byteLength: number,
): RecordFacts {
  const { winner, submissionCommitment, matchHash } = settlement;
  const paid = { tokenAddress: bounty.token, amount: BigInt(settlement.paidAmount) };
  const award =
    winner === null || submissionCommitment === null ? null : { winner, submissionCommitment, payout: paid };
  return {
    chainId,
    hubAddress,
    bountyId: BigInt(bounty.id),
    outcome: settlement.status,
    award,
    challenge: { specCommitment: bounty.specCommitment, byteLength },
    rosterSize: bounty.rosterSize,
    matching: settlement.matching ?? 0,
    supportingVerdicts: verdicts
      .filter((verdict) => verdict.matchHash === matchHash)
      .map((verdict) => ({
        guardianAddress: verdict.guardian,
        reportCommitment: verdict.reportCommitment,
        place: placeOf(verdict),
      })),
    settlement: { place: placeOf(settlement), settledAt: Number(settlement.settledAt) },
  };
}

function placeOf({ blockNumber, blockHash, transactionHash, logIndex }: IndexedPlace) {
  return { blockNumber: Number(blockNumber), blockHash, transactionHash, logIndex: Number(logIndex) };
}
