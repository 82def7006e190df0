// Signed requests (specification section 5): one approval for each request, over a block three behind the tip of the
// user's own RPC, never sent twice. After a 401 it signs once more with a fresh block; on 429 and 503 it waits as long as
// it is told to, says why, and gives up with an error that says it may be tried again.

import type { Hex } from 'viem';
import { type Approving, authorize, type SignedRequest } from './authorize.ts';
import { fetchOnce, type Wire } from './fetchOnce.ts';
import { type Patience, patiently } from './patience.ts';

/** How requests are signed and sent. */
export interface SignedFetchOptions extends Approving, Patience, Wire {
  /** Approvals that must not be made again (EIP-712 digests): give the same set to requests that must all differ. */
  readonly spent?: Set<Hex> | undefined;
}

/**
 * Sign and send.
 *
 * @returns The answer, a success
 * @throws ApiError for everything else; `retryable` says whether trying later makes sense
 */
export async function signedFetch(request: SignedRequest, options: SignedFetchOptions): Promise<Response> {
  // Parsed once: what is signed is what is sent.
  const url = new URL(request.url);
  const spent = options.spent ?? new Set<Hex>();
  const send = async (): Promise<Response> => {
    const headers: Record<string, string> = {
      Authorization: await authorize(request, url, options, spent),
    };
    if (request.contentType !== undefined) headers['Content-Type'] = request.contentType;
    options.signal?.throwIfAborted();
    const { method, body } = request;
    return fetchOnce(url, { method, headers, ...(body === undefined ? {} : { body }) }, options);
  };
  return patiently(send, options, true);
}
