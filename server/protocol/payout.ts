// What an award pays: fee arithmetic and the payout data of a Verdict (IHub: fee taken on award only, rounded down).
// Amounts are bigints in the token's smallest unit. Must never use floating point.
import { type Address, type Hex, hexToBigInt, pad, slice, toHex } from 'viem';
import { checksumAddress } from './accountAddress.ts';

const BASIS_POINTS = 10_000n;
const PAYOUT_DATA = /^0x0{24}[0-9a-f]{104}$/i;

/** `floor(amount * feeBps / 10000)`: what the treasury gets of an award. Throws a RangeError for impossible values. */
export function feeAmount(amount: bigint, feeBps: number): bigint {
  if (amount < 0n || !Number.isInteger(feeBps) || feeBps < 0 || feeBps > 10_000) {
    throw new RangeError('An amount from 0 and a fee of 0 to 10000 basis points are expected.');
  }
  return (amount * BigInt(feeBps)) / BASIS_POINTS;
}

/** What the winner gets of an award: the escrow less the fee. */
export function netRewardAmount(amount: bigint, feeBps: number): bigint {
  return amount - feeAmount(amount, feeBps);
}

/** What an awarded Verdict pays. */
export interface Payout {
  readonly tokenAddress: Address;
  readonly amount: bigint;
}

/** `abi.encode(address token, uint256 netAmount)`: the payout data of an awarded Verdict (IHub.Verdict). */
export function encodePayoutData({ tokenAddress, amount }: Payout): Hex {
  const token = pad(checksumAddress(tokenAddress).toLowerCase() as Hex, { size: 32 });
  return `${token}${toHex(amount, { size: 32 }).slice(2)}`;
}

/** The payout of an awarded Verdict's data, or undefined when the bytes are not exactly that encoding. */
export function decodePayoutData(payoutData: Hex): Payout | undefined {
  if (!PAYOUT_DATA.test(payoutData)) return undefined;
  return {
    tokenAddress: checksumAddress(slice(payoutData, 12, 32).toLowerCase()),
    amount: hexToBigInt(slice(payoutData, 32)),
  };
}
