// The connection to a Kubo RPC: every call gets a deadline for silence, asks for local blocks only, and fails as
// `storage_unavailable`. Kubo tells "not here" by an error's message alone; only those messages count as missing.

import { create, type KuboRPCClient } from 'ipfs-http-client';
import { ServiceError } from '../../protocol/errors.ts';
import { createInterruptible } from './interruptible.ts';

const SILENCE_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

const BLOCK_MISSING = /\bipld: could not find\b|\bblock was not found locally\b/;
const FILE_MISSING = /\bfile does not exist\b/;
const BLOCK_CORRUPT = /\bblock in storage has different hash than requested\b/;
const FILE_EXISTS = /\bdirectory already has entry by that name\b/;

/** What one call hands to the client: the signal that ends it, and what keeps the node off the network. */
export interface CallOptions {
  readonly signal: AbortSignal;
  /** Without it a missing block is searched on the public network until the timeout. */
  readonly offline: true;
}

/** One call under way: `heard` after each sign of life puts the deadline off. */
export interface KuboCall {
  readonly client: KuboRPCClient;
  readonly options: CallOptions;
  heard(): void;
}

/** The connection. */
export interface Kubo {
  /** The RPC's root, as `http://host:5001/api/v0`. */
  readonly endpoint: string;
  /** Carries a call out. @throws ServiceError `storage_unavailable`; ServiceErrors of `work` pass through */
  call<T>(work: (call: KuboCall) => Promise<T>, silenceMs?: number): Promise<T>;
  /** The same for a stream; the deadline runs only while the node is waited for, never while the reader takes its time. */
  stream<T>(work: (call: KuboCall) => AsyncIterable<T>, silenceMs?: number): AsyncGenerator<T>;
}

/** Connects; nothing is asked yet. */
export function connectKubo(apiUrl: string, defaultSilenceMs = SILENCE_MS): Kubo {
  const client = create({ url: apiUrl });

  const begin = (silenceMs: number) => {
    const controller = new AbortController();
    const steps = createInterruptible();
    let timer: NodeJS.Timeout | undefined;
    let over = false;
    const rest = (): void => clearTimeout(timer);
    const end = (): void => {
      over = true;
      rest();
    };
    const heard = (): void => {
      rest();
      // A body may go on being read for a moment after the call has failed.
      if (over) return;
      timer = setTimeout(() => {
        const error = new Error(`The IPFS node was silent for ${silenceMs} ms.`);
        steps.interrupt(error);
        controller.abort(error);
      }, silenceMs);
    };
    const options = { signal: controller.signal, offline: true } as const;
    return { call: { client, options, heard }, steps, heard, rest, end, abort: () => controller.abort() };
  };

  return {
    endpoint: endpointOf(apiUrl),
    async call(work, silenceMs = defaultSilenceMs) {
      const { call, steps, heard, end } = begin(silenceMs);
      heard();
      try {
        return await steps.wait(() => work(call));
      } catch (error) {
        throw translated(error);
      } finally {
        end();
      }
    },
    async *stream(work, silenceMs = defaultSilenceMs) {
      const { call, steps, heard, rest, end, abort } = begin(silenceMs);
      const iterator = work(call)[Symbol.asyncIterator]();
      try {
        for (;;) {
          heard();
          const next = await steps.wait(() => iterator.next());
          rest();
          if (next.done) return;
          yield next.value;
        }
      } catch (error) {
        throw translated(error);
      } finally {
        end();
        // Also when the reader stops early: the response must not go on filling its socket.
        abort();
      }
    },
  };
}

/** True when the node said that it does not hold the block. */
export const isBlockMissing = (error: unknown): boolean => says(error, BLOCK_MISSING);

/** True when the node said that nothing is at the MFS path. */
export const isFileMissing = (error: unknown): boolean => says(error, FILE_MISSING);

/** True when the node itself noticed that its bytes are others than their name promises. */
export const isBlockCorrupt = (error: unknown): boolean => says(error, BLOCK_CORRUPT);

/** True when the node said that the MFS path is taken. */
export const isFileExisting = (error: unknown): boolean => says(error, FILE_EXISTS);

/** A failure of the storage, for answers that are not what the RPC promises. */
export function storageFailure(cause: unknown): ServiceError {
  return new ServiceError('storage_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}

/** Kubo's refusals are JSON with status 500, in `files/rm` with status 200; the client makes them HTTPErrors. */
function says(error: unknown, message: RegExp): boolean {
  const original = error instanceof ServiceError ? error.details.cause : error;
  if (!(original instanceof Error) || original.name !== 'HTTPError') return false;
  const { response } = original as Error & { response?: Response };
  if (response === undefined || (response.status !== 500 && response.status !== 200)) return false;
  const json = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return json && message.test(original.message);
}

function translated(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : storageFailure(error);
}

/** As the client does: `/api/v0` unless the URL has a path of its own. */
function endpointOf(apiUrl: string): string {
  const url = new URL(apiUrl);
  return url.origin + (url.pathname === '/' ? '/api/v0' : url.pathname.replace(/\/$/, ''));
}
