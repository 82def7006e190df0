// The bytes of one small file by its IPFS path, read as a stream that is cut off at a limit, and believed only when
// they hash to their commitment.

import type { Hex } from 'viem';
import { commitmentOf } from '../../protocol/commitment.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { isBlockCorrupt, isBlockMissing, type Kubo } from './kubo.ts';
import type { Stored } from './stored.ts';

/** Reads a document or envelope of at most 256 KiB; whatever is larger is not what was committed here. */
export async function readCommitted(kubo: Kubo, cid: string, commitment: Hex): Promise<Stored> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of kubo.stream(({ client, options }) => client.cat(cid, options))) {
      length += chunk.length;
      if (length > LIMITS.documentBytes) return { state: 'mismatch' };
      chunks.push(chunk);
    }
  } catch (error) {
    if (isBlockMissing(error)) return { state: 'missing' };
    if (isBlockCorrupt(error)) return { state: 'mismatch' };
    throw error;
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return commitmentOf(bytes) === commitment.toLowerCase() ? { state: 'found', bytes } : { state: 'mismatch' };
}
