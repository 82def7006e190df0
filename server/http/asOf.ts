// The block that an answer rests on: every answer made of chain facts carries it.

import type { Snapshot } from '../adapters/hubIndex.ts';

/** `as_of` of a snapshot: P's number and hash. */
export function asOf({ pinned }: Snapshot) {
  return { block_number: pinned.number, block_hash: pinned.hash };
}
