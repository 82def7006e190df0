// IPFS paths: `<cid>`, `/ipfs/<cid>` and names below a directory, plain or sharded. Nothing is asked from a network.

import { exporter, type UnixFSEntry } from 'ipfs-unixfs-exporter';
import { CID } from 'multiformats/cid';
import type { Blocks } from './blocks.ts';
import { RpcError } from './rpcError.ts';

/** The CID that a path names; throws {@link RpcError} for a malformed path, a missing block or a missing name. */
export async function resolveCid(blocks: Blocks, path: string): Promise<CID> {
  const { cid, names } = parsePath(path);
  return names.length === 0 ? cid : (await resolveEntry(blocks, path)).cid;
}

/** The UnixFS entry that a path names; throws as {@link resolveCid}. */
export async function resolveEntry(blocks: Blocks, path: string): Promise<UnixFSEntry> {
  const { cid, names } = parsePath(path);
  try {
    return await exporter([cid, ...names].join('/'), blocks);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    if (error instanceof Error && error.name === 'NotFoundError') {
      throw new RpcError(`no link named "${names.at(-1) ?? ''}" under ${cid}`, { cause: error });
    }
    throw new RpcError(`could not resolve ${cid}`, { cause: error });
  }
}

function parsePath(path: string): { cid: CID; names: string[] } {
  const [root = '', ...names] = path
    .replace(/^\/ipfs\//, '')
    .split('/')
    .filter((name) => name !== '');
  try {
    return { cid: CID.parse(root), names };
  } catch (cause) {
    throw new RpcError(`invalid path "${path}": invalid cid`, { cause });
  }
}
