// Walks a DAG by its links (IPLD: dag-pb, dag-cbor, raw), for pins, garbage collection and sizes.

import * as dagCbor from '@ipld/dag-cbor';
import * as dagPb from '@ipld/dag-pb';
import { createUnsafe } from 'multiformats/block';
import type { CID } from 'multiformats/cid';
import { type Blocks, keyOf } from './blocks.ts';
import { RpcError } from './rpcError.ts';

const RAW = 0x55;

/** The CIDs that a block names; throws {@link RpcError} for a codec that the node cannot read. */
export function linksOf(cid: CID, bytes: Uint8Array): CID[] {
  if (cid.code === RAW) return [];
  if (cid.code === dagPb.code) return dagPb.decode(bytes).Links.map(({ Hash }) => Hash);
  if (cid.code === dagCbor.code) {
    return [...createUnsafe({ cid, bytes, codec: dagCbor }).links()].map(([, link]) => link as CID);
  }
  throw new RpcError(`no decoder registered for multicodec code ${cid.code} (0x${cid.code.toString(16)})`);
}

/** Every block under the roots, each once, parents first. Throws when one is missing. */
export async function* walk(
  blocks: Blocks,
  roots: Iterable<CID>,
): AsyncGenerator<{ readonly cid: CID; readonly bytes: Uint8Array }> {
  const visited = new Set<string>();
  const open = [...roots].reverse();
  for (let cid = open.pop(); cid !== undefined; cid = open.pop()) {
    const key = keyOf(cid);
    if (visited.has(key)) continue;
    const bytes = await blocks.read(cid);
    visited.add(key);
    yield { cid, bytes };
    open.push(...linksOf(cid, bytes).reverse());
  }
}

/**
 * The blocks under the roots by {@link keyOf}, as their parents name them: leaves are not read, so a lost or broken one
 * does not matter. Throws when a block with links cannot be followed.
 */
export async function named(blocks: Blocks, roots: Iterable<CID>): Promise<Set<string>> {
  const keys = new Set<string>();
  const open = [...roots];
  for (let cid = open.pop(); cid !== undefined; cid = open.pop()) {
    const key = keyOf(cid);
    if (keys.has(key)) continue;
    keys.add(key);
    if (cid.code !== RAW) open.push(...linksOf(cid, await blocks.read(cid)));
  }
  return keys;
}
