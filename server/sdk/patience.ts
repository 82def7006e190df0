// Trying again as the service asks for it: wait Retry-After on 429 and 503, say why, and give up with an error that says
// it may be tried again. Must never try what waiting cannot change.

import { ApiError, apiErrorOf } from './apiError.ts';

/** Why a request waits. */
export interface Waiting {
  /** The code that the service refused with. */
  readonly code: string;
  readonly message: string;
  readonly seconds: number;
}

/** How long a caller is willing to wait, and who hears of it. */
export interface Patience {
  /** How long to wait in all on 429 and 503; default 60 s, 0 never waits. */
  readonly maxWaitSeconds?: number | undefined;
  /** Hears of each wait before it begins. */
  readonly onWait?: ((waiting: Waiting) => void) | undefined;
  /** Ends waiting and sending; what it was aborted with is thrown. */
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_MAX_WAIT_SECONDS = 60;
const DEFAULT_RETRY_SECONDS = 2;
const WAITABLE: readonly number[] = [429, 503];

/**
 * Send until it succeeds.
 *
 * @param send Makes one attempt: a request of its own each time
 * @param signsAnew After a 401 one more attempt makes sense, because `send` signs over a fresh block
 * @returns The answer, a success
 * @throws ApiError for everything else; `retryable` says whether trying later makes sense
 */
export async function patiently(
  send: () => Promise<Response>,
  patience: Patience,
  signsAnew: boolean,
): Promise<Response> {
  const wait = startWaiting(patience);
  let mayRefuse = signsAnew;
  for (;;) {
    patience.signal?.throwIfAborted();
    const response = await send();
    if (response.ok) return response;
    const error = await apiErrorOf(response);
    patience.signal?.throwIfAborted();
    if (error.status === 401 && mayRefuse) {
      mayRefuse = false;
      continue;
    }
    await wait(error);
    // What has waited is stale: the next attempt may need one fresh signature more.
    mayRefuse = signsAnew;
  }
}

/** A budget of waiting: resolves after the wait that an error asks for, throws the error when it should not be waited. */
export function startWaiting({ maxWaitSeconds = DEFAULT_MAX_WAIT_SECONDS, onWait, signal }: Patience) {
  let waited = 0;
  return async (error: unknown): Promise<void> => {
    if (!(error instanceof ApiError) || !WAITABLE.includes(error.status)) throw error;
    const { code, message } = error;
    const seconds = error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS;
    if (waited + seconds > maxWaitSeconds) throw error;
    waited += seconds;
    onWait?.({ code, message, seconds });
    await sleep(seconds * 1_000, signal);
  };
}

/** Sleep, unless `signal` ends it: then what it was aborted with is thrown. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
