// What the user's own RPC or the Hub itself refuses: the Hub's reason by name where there is one.

import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  decodeErrorResult,
  type Hex,
} from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';

/** A read or a call that the chain did not grant. */
export class HubError extends Error {
  /** The Hub's own error, as `Hub_BountyUnknown`; `reverted` for any other revert, `no_hub`, `wrong_chain`, `wrong_account`; `unconfirmed` when it was sent and its receipt is not to be had; `rpc_failure` when no answer came. */
  readonly reason: string;

  constructor(reason: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'HubError';
    this.reason = reason;
  }

  /** Whether trying later makes sense: the RPC failed, not the call. */
  get retryable(): boolean {
    return this.reason === 'rpc_failure';
  }
}

/** viem's failure of a read or call, in the Hub's words. */
export function hubErrorOf(cause: unknown): HubError {
  if (cause instanceof HubError) return cause;
  const reverted = cause instanceof BaseError ? cause.walk(isRevert) : undefined;
  if (reverted instanceof ContractFunctionRevertedError && reverted.data) {
    return refusal(reverted.data.errorName, reverted.data.args ?? [], cause);
  }
  if (cause instanceof BaseError && cause.walk((error) => error instanceof ContractFunctionZeroDataError)) {
    return new HubError('no_hub', 'There is no Hub at this address on the chain of your RPC.', cause);
  }
  const data = revertData(cause);
  if (data !== undefined) return decoded(data, cause);
  if (reverted) return new HubError('reverted', 'The call would be reverted.', cause);
  return new HubError('rpc_failure', 'Your own RPC does not answer.', cause);
}

function isRevert(error: unknown): boolean {
  return (
    error instanceof ContractFunctionRevertedError ||
    (error instanceof BaseError && error.name === 'ExecutionRevertedError')
  );
}

/** The data of a revert, wherever in the chain of causes the RPC's answer put it. */
function revertData(error: unknown): Hex | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth += 1) {
    const { data } = at as { data?: unknown };
    const found = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
    if (typeof found === 'string' && /^0x[0-9a-f]{8,}$/i.test(found)) return found as Hex;
  }
  return undefined;
}

function decoded(data: Hex, cause: unknown): HubError {
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: hubAbi, data });
    return refusal(errorName, args, cause);
  } catch {
    return new HubError(
      'reverted',
      'The call would be reverted, for a reason that is not one of the Hub.',
      cause,
    );
  }
}

function refusal(reason: string, args: readonly unknown[], cause: unknown): HubError {
  return new HubError(reason, `The Hub refuses: ${reason}(${args.map(String).join(', ')}).`, cause);
}
