// The files of a multipart request (RFC 7578) one after the other, as streams: nothing is gathered in memory. A body
// that ends before its closing boundary fails; half a file must never look like a whole one.

import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy';
import { RpcError } from './rpcError.ts';

/** One part. `path` is empty when the client gave none; read `content` before asking for the next part. */
export interface Part {
  readonly path: string;
  readonly directory: boolean;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Yields the parts in order; throws {@link RpcError} when the request is no multipart request or breaks off. */
export async function* multipartParts(request: IncomingMessage): AsyncGenerator<Part> {
  if (!/^multipart\/(form-data|mixed)/i.test(request.headers['content-type'] ?? '')) {
    throw new RpcError('file argument is required', { status: 400 });
  }
  const queue: Part[] = [];
  const streams = new Set<BusboyFileStream>();
  let ended = false;
  let failure: unknown;
  let wake = (): void => {};

  const parser = new Busboy({
    headers: request.headers as BusboyHeaders,
    preservePath: true,
    isPartAFile: () => true,
  });
  parser.on('file', (_field, stream, fileName, _encoding, mimeType) => {
    streams.add(stream);
    // Nobody may be reading yet when the request breaks off.
    stream.on('error', () => {});
    stream.once('close', () => streams.delete(stream));
    queue.push({
      path: decodedPath(fileName),
      directory: mimeType === 'application/x-directory',
      content: stream,
    });
    wake();
  });
  pipeline(request, parser)
    .catch((error: unknown) => {
      failure = new RpcError('the request body broke off', { cause: error });
      for (const stream of streams) stream.destroy(failure as Error);
    })
    .finally(() => {
      ended = true;
      wake();
    });

  for (;;) {
    const part = queue.shift();
    if (part) {
      yield part;
    } else if (failure) {
      throw failure;
    } else if (ended) {
      return;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}

/** Clients percent-encode the path, because a file name in a header cannot hold every character. */
function decodedPath(fileName: string | undefined): string {
  try {
    return decodeURIComponent(fileName ?? '');
  } catch {
    throw new RpcError('the file name is not percent-encoded correctly', { status: 400 });
  }
}
