// A stream that may carry so many bytes and no more.

import { Transform } from 'node:stream';

/** Passes chunks on, tells how far it is, and fails with `tooMany()` at the first byte beyond the limit. */
export function byteLimit(
  maxBytes: number,
  tooMany: () => Error,
  onBytes: (total: number) => void = () => {},
): Transform {
  let total = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      total += chunk.length;
      if (total > maxBytes) return done(tooMany());
      onBytes(total);
      done(null, chunk);
    },
  });
}
