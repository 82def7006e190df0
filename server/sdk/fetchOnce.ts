// One exchange on the wire: no redirects (an approval is for one host and one path), no cache, a time limit.

import { networkFailure } from './apiError.ts';

/** How exchanges are made. */
export interface Wire {
  /** Default the platform's. */
  readonly fetch?: typeof fetch | undefined;
  /** How long one exchange may take, its body included; default 120 s. */
  readonly timeoutSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A readiness review of a long document takes its time. */
const DEFAULT_TIMEOUT_SECONDS = 120;

/**
 * Send once.
 *
 * @throws ApiError `network_failure` when no answer comes; what `signal` was aborted with when it was
 */
export async function fetchOnce(url: URL, request: RequestInit, wire: Wire): Promise<Response> {
  const { fetch: send = fetch, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, signal } = wire;
  const limit =
    timeoutSeconds === Number.POSITIVE_INFINITY ? [] : [AbortSignal.timeout(timeoutSeconds * 1_000)];
  const signals = [...limit, ...(signal === undefined ? [] : [signal])];
  try {
    return await send(url, {
      ...request,
      redirect: 'error',
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any(signals),
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw networkFailure(url.host, cause);
  }
}
