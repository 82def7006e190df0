// The blocks on disk: blockstore-fs, which does not verify, behind a reader that re-hashes every block it hands out.
// Blocks are kept by multihash, so one stored as raw is found under any codec, as in Kubo.

import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FsBlockstore } from 'blockstore-fs';
import { NextToLast } from 'blockstore-fs/sharding';
import { base32upper } from 'multiformats/bases/base32';
import { CID } from 'multiformats/cid';
import { decode as decodeMultihash } from 'multiformats/hashes/digest';
import { matches } from './multihash.ts';
import { BlockCorrupt, BlockMissing } from './rpcError.ts';

/** The store; `get` and `put` have the shape that the UnixFS libraries take. */
export interface Blocks {
  put(cid: CID, bytes: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<CID>;
  /** The whole block as one chunk; throws {@link BlockMissing} or {@link BlockCorrupt}. */
  get(cid: CID): AsyncGenerator<Uint8Array>;
  /** The whole block; throws as `get`. */
  read(cid: CID): Promise<Uint8Array>;
  has(cid: CID): Promise<boolean>;
  /** Bytes of the stored block, not verified; 0 when there is none. */
  size(cid: CID): Promise<number>;
  remove(cid: CID): Promise<void>;
  /** Every block, as CIDv1 raw. */
  list(): AsyncGenerator<CID>;
}

const RAW = 0x55;

/** blockstore-fs's own files; its way back from a name reads CIDv0 alone, which knows no keccak-256. */
class ByMultihash extends NextToLast {
  override decode(path: string): CID {
    const name = basename(path).slice(0, -this.extension.length);
    return CID.createV1(RAW, decodeMultihash(base32upper.decoder.decode(name)));
  }
}

/** Opens the store in a folder, which is created when missing. */
export async function openBlocks(folder: string): Promise<Blocks> {
  const shardingStrategy = new ByMultihash();
  const store = new FsBlockstore(folder, { shardingStrategy });
  await store.open();
  await dropUnfinished(folder);
  // Two writers of one block would share blockstore-fs's temporary file; a crash could then leave half a block.
  const underWay = new Map<string, Promise<CID>>();

  const read = async (cid: CID): Promise<Uint8Array> => {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of store.get(cid)) chunks.push(chunk);
    } catch (error) {
      if (!(await store.has(cid))) throw new BlockMissing(cid);
      throw error;
    }
    const bytes =
      chunks.length === 1 && chunks[0] ? new Uint8Array(chunks[0]) : new Uint8Array(Buffer.concat(chunks));
    if (!matches(cid, bytes)) throw new BlockCorrupt();
    return bytes;
  };

  return {
    read,
    async put(cid, bytes) {
      const key = keyOf(cid);
      const earlier = underWay.get(key);
      if (earlier) return earlier.then(() => cid);
      const work = store.put(cid, bytes);
      underWay.set(key, work);
      try {
        await work;
      } finally {
        underWay.delete(key);
      }
      return cid;
    },
    async *get(cid) {
      yield await read(cid);
    },
    has: (cid) => store.has(cid),
    async size(cid) {
      const { dir, file } = shardingStrategy.encode(cid);
      return (await stat(join(folder, dir, file)).catch(() => undefined))?.size ?? 0;
    },
    remove: (cid) => store.delete(cid),
    async *list() {
      for await (const { cid } of store.getAll()) yield cid;
    },
  };
}

/** What two CIDs of the same block have in common: the multihash as text. */
export function keyOf(cid: CID): string {
  return Buffer.from(cid.multihash.bytes).toString('base64');
}

/** A process that was killed while it wrote leaves a dot file, which is no block and would stay for ever. */
async function dropUnfinished(folder: string): Promise<void> {
  for (const shard of await readdir(folder)) {
    const names = await readdir(join(folder, shard));
    for (const name of names) if (name.startsWith('.')) await rm(join(folder, shard, name), { force: true });
  }
}
