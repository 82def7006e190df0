// The golden DAG roots (made by Kubo) that every IPFS node under test must reproduce, up to a size or beyond it.

import { readFileSync } from 'node:fs';

/** One case: the options of the RPC client's `add`, and what Kubo answered. */
export interface DagRootCase {
  readonly byte_length: number;
  readonly options: { readonly cidVersion?: 0 | 1; readonly rawLeaves?: boolean; readonly chunker?: string };
  readonly root: string;
  readonly cumulative_size: number;
}

/** All cases, smallest first. */
export const DAG_ROOTS = (
  JSON.parse(readFileSync(new URL('../../vectors/dagRoots.json', import.meta.url), 'utf8')) as {
    readonly cases: readonly DagRootCase[];
  }
).cases;

/** The size beyond which a case belongs into the long run. */
export const LONG_BYTES = 100 * 1024 * 1024;
