// A PUT that tells how far it is. Browsers tell that through XMLHttpRequest alone (streamed fetch bodies need HTTP/2 and
// work in few of them); everywhere else the body is a stream that counts itself.

import { networkFailure } from './apiError.ts';
import type { Connection } from './connection.ts';
import { TRANSFER_SECONDS, type TransferOptions } from './transfer.ts';

/**
 * Send a blob once.
 *
 * @returns The answer, whatever its status
 * @throws ApiError `network_failure`
 */
export function putBlob(
  connection: Connection,
  url: string,
  headers: Readonly<Record<string, string>>,
  blob: Blob,
  options: TransferOptions,
): Promise<Response> {
  if (typeof XMLHttpRequest === 'function') return putByXhr(url, headers, blob, options);
  const { onProgress, signal } = options;
  const total = blob.size;
  let done = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      done += chunk.length;
      onProgress?.({ done, total });
      controller.enqueue(chunk);
    },
  });
  const body = blob.stream().pipeThrough(counting);
  const request = { method: 'PUT', headers, body, duplex: 'half' };
  return connection.exchange(url, request as RequestInit, TRANSFER_SECONDS, signal);
}

function putByXhr(
  url: string,
  headers: Readonly<Record<string, string>>,
  blob: Blob,
  { onProgress, signal }: TransferOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    const failed = (): void =>
      reject(signal?.aborted ? signal.reason : networkFailure(new URL(url).host, undefined));
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.timeout = TRANSFER_SECONDS * 1_000;
    request.responseType = 'arraybuffer';
    request.upload.onprogress = ({ loaded }) => onProgress?.({ done: loaded, total: blob.size });
    request.onerror = failed;
    request.ontimeout = failed;
    request.onabort = failed;
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    request.onload = () => {
      const retryAfter = request.getResponseHeader('Retry-After');
      const init = {
        status: request.status,
        headers: retryAfter === null ? {} : { 'Retry-After': retryAfter },
      };
      resolve(new Response(request.response as ArrayBuffer, init));
    };
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) return failed();
    request.send(blob);
  });
}
