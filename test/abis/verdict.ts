/** Verdicts for tests, and the hash that they are matched by, computed here and not by the Hub. */
import { type Address, encodeAbiParameters, type Hex, keccak256, zeroAddress, zeroHash } from 'viem';

/** The struct `IHub.Verdict`; `outcome` is 1 for awarded and 2 for refunded. */
export interface Verdict {
  readonly outcome: number;
  readonly winner: Address;
  readonly submissionCommitment: Hex;
  readonly payoutData: Hex;
}

/** A Verdict that gives the escrow back. */
export const REFUND: Verdict = {
  outcome: 2,
  winner: zeroAddress,
  submissionCommitment: zeroHash,
  payoutData: '0x',
};

/** `abi.encode(address token, uint256 netAmount)`. */
export function payout(token: Address, netAmount: bigint): Hex {
  return encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [token, netAmount]);
}

/** A Verdict that pays `winner`. */
export function award(winner: Address, submissionCommitment: Hex, payoutData: Hex): Verdict {
  return { outcome: 1, winner, submissionCommitment, payoutData };
}

/** `keccak256(abi.encode(uint8 outcome, address winner, bytes32 submissionCommitment, bytes payoutData))`. */
export function matchHash({ outcome, winner, submissionCommitment, payoutData }: Verdict): Hex {
  const types = [{ type: 'uint8' }, { type: 'address' }, { type: 'bytes32' }, { type: 'bytes' }] as const;
  return keccak256(encodeAbiParameters(types, [outcome, winner, submissionCommitment, payoutData]));
}
