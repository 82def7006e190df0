// One prepared transaction: what EIP-5792 `wallet_sendCalls` takes, and the same again in words for the reader
// (specification section 1: the API only prepares arguments). Must never be sent before its data was derived anew.
import type { Address, Hex } from 'viem';
import { canonicalJson } from './canonicalJson.ts';

/** Arguments as they are printed: snake_case keys, integers as decimal strings. */
export interface ReadableArgs {
  readonly [name: string]: string | ReadableArgs;
}

/** A call that the caller's own wallet may send. */
export interface PreparedCall {
  /** The contract, EIP-55. */
  readonly to: Address;
  /** Wei to send along in hex: always `0x0`. */
  readonly value: Hex;
  /** ABI-encoded call, lower-case hex. */
  readonly data: Hex;
  readonly function_name: string;
  readonly args: ReadableArgs;
}

/**
 * True when a call that somebody prepared is the one that was derived from what the user wants: same contract, no
 * value, same data, same words. False for anything malformed; never throws.
 */
export function sameCall(prepared: PreparedCall, derived: PreparedCall): boolean {
  try {
    return canonicalJson(comparable(prepared)) === canonicalJson(comparable(derived));
  } catch {
    return false;
  }
}

function comparable({ to, value, data, function_name, args }: PreparedCall) {
  return {
    to: to.toLowerCase(),
    value: BigInt(value).toString(),
    data: data.toLowerCase(),
    function_name,
    args,
  };
}
