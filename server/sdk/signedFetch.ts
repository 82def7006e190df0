// Signed requests (specification section 5): one approval for each request, over a block three behind the tip of the
// user's own RPC, never sent twice. After a 401 it signs once more with a fresh block; on 429 and 503 it waits as long as
// it is told to, says why, and gives up with an error that says it may be tried again.

import type { Address, Hex } from 'viem';
import {
  type ApprovalDeployment,
  type ApprovalMessage,
  approvalMessage,
  approvalTypedData,
} from '../protocol/approval.ts';
import { encodeApprovalHeader } from '../protocol/approvalHeader.ts';
import { SIGNING_LAG_BLOCKS } from '../protocol/freshness.ts';
import { ApiError, apiErrorOf } from './apiError.ts';

/** Who signs. For a contract wallet `address` is the contract, whatever key makes the signature. */
export interface ApprovalSigner {
  readonly address: Address;
  signTypedData(typedData: ReturnType<typeof approvalTypedData>): Promise<Hex>;
}

/** The user's own view of the chain: never the API's. */
export interface BlockSource {
  getBlockNumber(): Promise<bigint>;
  getBlock(request: { readonly blockNumber: bigint }): Promise<{ readonly hash: Hex }>;
}

/** A request to sign and send. */
export interface SignedRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute URL with its query. */
  readonly url: string;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
}

/** Why a request waits. */
export interface Waiting {
  /** The code that the service refused with. */
  readonly code: string;
  readonly message: string;
  readonly seconds: number;
}

/** How requests are signed and sent. */
export interface SignedFetchOptions {
  readonly deployment: ApprovalDeployment;
  readonly signer: ApprovalSigner;
  readonly blocks: BlockSource;
  /** How long to wait in all on 429 and 503; default 60 s. */
  readonly maxWaitSeconds?: number;
  /** Hears of each wait before it begins. */
  readonly onWait?: (waiting: Waiting) => void;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof fetch;
}

const DEFAULT_MAX_WAIT_SECONDS = 60;
const DEFAULT_RETRY_SECONDS = 2;
const WAITABLE: readonly number[] = [429, 503];
const NO_BYTES = new Uint8Array(0);

/**
 * Sign and send.
 *
 * @returns The answer, a success
 * @throws ApiError for everything else; `retryable` says whether trying later makes sense
 */
export async function signedFetch(request: SignedRequest, options: SignedFetchOptions): Promise<Response> {
  const { maxWaitSeconds = DEFAULT_MAX_WAIT_SECONDS, onWait, signal } = options;
  let waited = 0;
  let signedAgain = false;
  for (;;) {
    const response = await sendOnce(request, options);
    if (response.ok) return response;
    const error = await apiErrorOf(response);
    if (error.status === 401 && !signedAgain) {
      signedAgain = true;
      continue;
    }
    if (!WAITABLE.includes(error.status)) throw error;
    const seconds = error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS;
    if (waited + seconds > maxWaitSeconds) throw error;
    onWait?.({ code: error.code, message: error.message, seconds });
    await sleep(seconds * 1_000, signal);
    waited += seconds;
    // What has waited is stale: the next attempt may need one fresh signature more.
    signedAgain = false;
  }
}

async function sendOnce(request: SignedRequest, options: SignedFetchOptions): Promise<Response> {
  // Parsed once: what is signed is what is sent.
  const url = new URL(request.url);
  const headers: Record<string, string> = { Authorization: await authorize(request, url, options) };
  if (request.contentType !== undefined) headers['Content-Type'] = request.contentType;
  const send = options.fetch ?? fetch;
  try {
    return await send(url, {
      method: request.method,
      headers,
      redirect: 'error',
      cache: 'no-store',
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } catch (cause) {
    options.signal?.throwIfAborted();
    throw new ApiError({
      status: 0,
      code: 'network_failure',
      message: `${url.host} does not answer.`,
      cause,
    });
  }
}

/** The Authorization header of one request, over a fresh block. */
export async function authorize(
  request: SignedRequest,
  url: URL,
  { deployment, signer, blocks }: Pick<SignedFetchOptions, 'deployment' | 'signer' | 'blocks'>,
): Promise<string> {
  const tip = await blocks.getBlockNumber();
  const blockNumber = tip > SIGNING_LAG_BLOCKS ? tip - SIGNING_LAG_BLOCKS : 0n;
  const { hash: blockHash } = await blocks.getBlock({ blockNumber });
  const { method, body = NO_BYTES } = request;
  const rawTarget = url.pathname + url.search;
  const block = { blockNumber, blockHash };
  const message: ApprovalMessage = approvalMessage({ method, rawTarget, host: url.host, body }, block);
  const signature = await signer.signTypedData(approvalTypedData(deployment, message));
  return encodeApprovalHeader({ address: signer.address, signature, ...block });
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
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
