// Where an upload waits until its digest and length are known to be right. A file on disk without a name: whatever ends
// the process or the upload leaves nothing behind, IPFS never holds blocks of a half upload, and a slow sender holds
// no connection to the node. Memory stays flat: one chunk at a time.

import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../../protocol/errors.ts';
import { createInterruptible } from './interruptible.ts';
import { storageFailure } from './kubo.ts';
import type { ExpectedCiphertext } from './stored.ts';

/**
 * Receives the bytes, hands the checked file to `use`, and drops it.
 *
 * @throws ServiceError 400 `invalid_solver_submission` for other bytes, 413 at the first byte too many, 503 when the
 *   disk fails; what the source or the signal throws passes through
 */
export async function spooled<T>(
  source: AsyncIterable<Uint8Array>,
  expected: ExpectedCiphertext,
  signal: AbortSignal | undefined,
  folder: string | undefined,
  use: (read: () => AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const path = join(folder ?? tmpdir(), `upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600).catch((error: unknown) => {
    throw storageFailure(error);
  });
  try {
    await rm(path);
    await receive(file, interrupted(source, signal), expected);
    return await use(() => chunksOf(file, expected.byteLength));
  } finally {
    await file.close();
  }
}

async function receive(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  { sha256, byteLength }: ExpectedCiphertext,
): Promise<void> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of chunks) {
    if (length + chunk.length > byteLength) {
      throw new ServiceError('payload_too_large', {
        message: `This upload takes exactly ${byteLength} bytes.`,
      });
    }
    hash.update(chunk);
    for (let written = 0; written < chunk.length; ) {
      const done = await file
        .write(chunk, written, chunk.length - written, length + written)
        .catch((error) => {
          throw storageFailure(error);
        });
      written += done.bytesWritten;
    }
    length += chunk.length;
  }
  if (length !== byteLength) throw wrongBytes(`${byteLength} bytes were announced, ${length} came.`);
  if (hash.digest('hex') !== sha256) throw wrongBytes('The bytes have another SHA-256 than was announced.');
}

/** The same chunks until the signal says stop, also while the source is silent. */
async function* interrupted(
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  const steps = createInterruptible();
  const stop = (): void => steps.interrupt(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  try {
    for (;;) {
      const next = await steps.wait(() => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    // Not awaited: a source that hangs would never answer.
    iterator.return?.().catch(() => {});
  }
}

function wrongBytes(message: string): ServiceError {
  return new ServiceError('invalid_solver_submission', { issues: [{ path: 'body', message }] });
}

const READ_BYTES = 256 * 1024;

async function* chunksOf(file: FileHandle, byteLength: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < byteLength; ) {
    const { bytesRead, buffer } = await file.read(new Uint8Array(READ_BYTES), 0, READ_BYTES, offset);
    if (bytesRead === 0) throw new Error('The spooled upload is shorter than it was.');
    yield buffer.subarray(0, bytesRead);
    offset += bytesRead;
  }
}
