// UnixFS nodes as MFS needs them (UnixFS specification, dag-pb): what a CID is, how large, and directories as values.
// Directories are written unsharded; a sharded one made elsewhere can be read, not changed.

import * as dagPb from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import { CID } from 'multiformats/cid';
import type { Blocks } from './blocks.ts';
import { multihashOf } from './multihash.ts';
import { RpcError } from './rpcError.ts';

const RAW = 0x55;

/** One entry of a directory: its node and the bytes of the whole DAG under it. */
export interface Entry {
  readonly cid: CID;
  readonly cumulativeSize: number;
}

/** A directory as a value: names to entries. */
export type Directory = ReadonlyMap<string, Entry>;

/** What is known of a node without reading its children. Sizes in bytes. */
export interface NodeFacts {
  readonly type: 'file' | 'directory';
  /** Bytes of the file; 0 for a directory. */
  readonly size: number;
  readonly cumulativeSize: number;
  readonly childCount: number;
}

/** Reads a node's facts; throws {@link RpcError} when it is no UnixFS node. */
export async function nodeFacts(blocks: Blocks, cid: CID): Promise<NodeFacts> {
  const bytes = await blocks.read(cid);
  if (cid.code === RAW) {
    return { type: 'file', size: bytes.length, cumulativeSize: bytes.length, childCount: 0 };
  }
  const { node, unixfs } = decode(cid, bytes);
  const directory = unixfs.type === 'directory' || unixfs.type === 'hamt-sharded-directory';
  return {
    type: directory ? 'directory' : 'file',
    size: directory ? 0 : Number(unixfs.fileSize()),
    cumulativeSize: bytes.length + node.Links.reduce((sum, { Tsize }) => sum + (Tsize ?? 0), 0),
    childCount: node.Links.length,
  };
}

/** Reads an unsharded directory; throws {@link RpcError} for anything else. */
export async function readDirectory(blocks: Blocks, cid: CID): Promise<Directory> {
  if (cid.code === RAW) throw new RpcError('not a directory');
  const { node, unixfs } = decode(cid, await blocks.read(cid));
  if (unixfs.type === 'hamt-sharded-directory')
    throw new RpcError('sharded directories cannot be changed here');
  if (unixfs.type !== 'directory') throw new RpcError('not a directory');
  return new Map(
    node.Links.map(({ Name, Hash, Tsize }) => [Name ?? '', { cid: Hash, cumulativeSize: Tsize ?? 0 }]),
  );
}

/** Stores a directory as Kubo's MFS does (dag-pb, CIDv0). */
export async function writeDirectory(blocks: Blocks, directory: Directory): Promise<Entry> {
  const links = [...directory].map(([Name, { cid, cumulativeSize }]) => ({
    Name,
    Hash: cid,
    Tsize: cumulativeSize,
  }));
  const bytes = dagPb.encode(
    dagPb.prepare({ Data: new UnixFS({ type: 'directory' }).marshal(), Links: links }),
  );
  const cid = CID.create(0, dagPb.code, multihashOf(bytes, 'sha2-256'));
  await blocks.put(cid, bytes);
  return { cid, cumulativeSize: links.reduce((sum, { Tsize }) => sum + Tsize, bytes.length) };
}

function decode(cid: CID, bytes: Uint8Array): { node: dagPb.PBNode; unixfs: UnixFS } {
  if (cid.code !== dagPb.code) throw new RpcError('unrecognized node type');
  const node = dagPb.decode(bytes);
  if (node.Data === undefined) throw new RpcError('not a UnixFS node');
  return { node, unixfs: UnixFS.unmarshal(node.Data) };
}
