// A Verdict as the Hub counts it, and the hash by which Verdicts match (IHub.Verdict, specification section 1: same
// outcome, winner, submission commitment and payout data). Must never take the report commitment into the hash.
import { type Address, encodeAbiParameters, type Hex, hexToBytes } from 'viem';
import { commitmentOf } from './commitment.ts';

/** Outcomes as documents and answers write them, with the Hub's numbers. */
export const OUTCOME_NUMBERS = { awarded: 1, refunded: 2 } as const;

/** What a Verdict can say. */
export type Outcome = keyof typeof OUTCOME_NUMBERS;

/** The part of a Verdict that must match. Winner and commitment are zero and the data `0x` when refunded. */
export interface HubVerdict {
  readonly outcome: Outcome;
  readonly winner: Address;
  readonly submissionCommitment: Hex;
  readonly payoutData: Hex;
}

const VERDICT_ABI = [{ type: 'uint8' }, { type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }] as const;

/** `keccak256(abi.encode(outcome, winner, submissionCommitment, payoutData))` (IHub.VerdictRecorded). */
export function matchHash({ outcome, winner, submissionCommitment, payoutData }: HubVerdict): Hex {
  const values = [OUTCOME_NUMBERS[outcome], winner, submissionCommitment, payoutData] as const;
  return commitmentOf(hexToBytes(encodeAbiParameters(VERDICT_ABI, values)));
}
