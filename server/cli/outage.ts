// Whether a failure means that a neighbour did not answer, whatever library noticed it.

import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';

/** JSON-RPC's code for "limit exceeded" (EIP-1474). */
const LIMIT_EXCEEDED = -32005;

/** True for what may go away by itself: no connection, no answer in time, a busy RPC. */
export function isOutage(error: unknown): boolean {
  if (error instanceof BaseError) return error.walk(isUnanswered) !== null;
  return error instanceof TypeError && error.message === 'fetch failed';
}

function isUnanswered(error: unknown): boolean {
  if (error instanceof RpcRequestError) return error.code === LIMIT_EXCEEDED;
  return error instanceof HttpRequestError || error instanceof TimeoutError;
}
