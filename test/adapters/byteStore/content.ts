// Bytes for tests: reproducible, of any size, never held in memory as a whole.

import { createHash } from 'node:crypto';
import { ciphertextLocator } from '../../../server/protocol/address.ts';

const PIECE_BYTES = 65_536;

/** The content that `test/vectors/dagRoots.json` describes for seed 31. */
export async function* pieces(byteLength: number, seed = 31): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < byteLength; offset += PIECE_BYTES) {
    yield new Uint8Array(Math.min(PIECE_BYTES, byteLength - offset)).fill(
      (seed + offset / PIECE_BYTES) % 251,
    );
  }
}

/** What an upload of {@link pieces} announces, and where it belongs. */
export async function described(byteLength: number, seed?: number) {
  const hash = createHash('sha256');
  for await (const piece of pieces(byteLength, seed)) hash.update(piece);
  const sha256 = hash.digest('hex');
  return { locator: ciphertextLocator(sha256), expected: { sha256, byteLength } };
}

/** All bytes of a stream in one piece. */
export async function gathered(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}
