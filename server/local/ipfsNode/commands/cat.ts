// cat: the bytes of a file by its path, whole or a range. What graph-node and graph-cli read documents with.

import type { Blocks } from '../blocks.ts';
import type { Commands } from '../command.ts';
import { resolveEntry } from '../resolve.ts';
import { RpcError } from '../rpcError.ts';

/** How many blocks (1 MiB and less) are read ahead; bounds the memory of one reader. */
const BLOCKS_AHEAD = 2;

/** Opens a file for reading; throws {@link RpcError} when the path names none. */
export async function openFile(
  blocks: Blocks,
  path: string,
  range: { readonly offset?: number | undefined; readonly length?: number | undefined },
): Promise<{ stream: AsyncIterable<Uint8Array>; byteLength: number }> {
  const entry = await resolveEntry(blocks, path);
  if (entry.type === 'directory') throw new RpcError('this dag node is a directory');
  if (entry.type === 'object') throw new RpcError('unrecognized node type');
  const size = entry.type === 'file' ? Number(entry.unixfs.fileSize()) : entry.node.length;
  const offset = Math.min(range.offset ?? 0, size);
  const byteLength = Math.min(range.length ?? size, size - offset);
  return {
    byteLength,
    stream:
      byteLength === 0
        ? nothing()
        : entry.content({ offset, length: byteLength, blockReadConcurrency: BLOCKS_AHEAD }),
  };
}

/** The commands of this group. */
export const catCommands: Commands = {
  cat(call) {
    const range = { offset: call.number('offset'), length: call.number('length') };
    return openFile(call.repo.blocks, call.arg('ipfs-path'), range);
  },
};

async function* nothing(): AsyncGenerator<Uint8Array> {}
