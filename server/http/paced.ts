// A body stream that must keep a minimum rate: a slow sender is cut off, and one that stops is noticed.

import { ServiceError } from '../protocol/errors.ts';

const GRACE_MS = 10_000;
const CHECK_MS = 1_000;

/**
 * The same bytes, as long as they come fast enough.
 *
 * @param minimumBytesPerSecond Average rate, measured after a grace of ten seconds
 * @throws ServiceError 408 when the sender is slower, or breaks off
 */
export async function* paced(
  source: AsyncIterable<Uint8Array> & { destroy(error: Error): void },
  minimumBytesPerSecond: number,
): AsyncGenerator<Uint8Array> {
  const startedAt = performance.now();
  let received = 0;
  const timer = setInterval(() => {
    const elapsed = performance.now() - startedAt;
    if (elapsed > GRACE_MS && (received * 1000) / elapsed < minimumBytesPerSecond) {
      source.destroy(new ServiceError('request_timeout', { message: 'The body came too slowly.' }));
    }
  }, CHECK_MS);
  try {
    for await (const chunk of source) {
      received += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : new ServiceError('request_timeout', { cause: error });
  } finally {
    clearInterval(timer);
  }
}
