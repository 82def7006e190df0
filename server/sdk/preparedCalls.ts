// Calls that the API prepared, held against the same calls derived here from what the user wants (specification section
// 1: the API only prepares arguments). What comes out are the derived ones: no byte of the API's reaches a wallet.

import type { Address } from 'viem';
import { type PreparedCall, sameCall } from '../protocol/preparedCall.ts';
import type { PreparedCalls } from './answers/prepared.ts';
import { contradictions } from './untrustedAnswer.ts';

/** Calls that were derived here and may be sent by `from`, in this order. */
export interface CheckedCalls {
  readonly chainId: number;
  readonly from: Address;
  readonly calls: readonly PreparedCall[];
}

/**
 * Compare prepared calls with derived ones.
 *
 * @returns The derived calls
 * @throws UntrustedAnswerError when chain, sender, number of calls or any byte of a call differs
 */
export function checkPreparedCalls(prepared: PreparedCalls, derived: CheckedCalls): CheckedCalls {
  const check = contradictions('The API prepared something else than what was asked for.');
  check.same('prepared.chain_id', prepared.chain_id, derived.chainId);
  check.same('prepared.from', prepared.from, derived.from);
  check.same('prepared.calls.length', prepared.calls.length, derived.calls.length);
  derived.calls.forEach((call, index) => {
    const given = prepared.calls[index];
    if (given === undefined || sameCall(given, call)) return;
    const path = `prepared.calls/${index}`;
    check.expect(false, path, `${path} must be exactly ${call.function_name} on ${call.to} as derived here.`);
  });
  check.done();
  return derived;
}
