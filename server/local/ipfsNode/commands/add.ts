// add: files and folders into UnixFS DAGs. Same options and defaults as Kubo, so that the same bytes get the same CID.

import { type ImportCandidate, importer } from 'ipfs-unixfs-importer';
import { fixedSize } from 'ipfs-unixfs-importer/chunker';
import { balanced } from 'ipfs-unixfs-importer/layout';
import type { Blocks } from '../blocks.ts';
import type { Call, Commands } from '../command.ts';
import { mfsPath } from '../mfs.ts';
import { RpcError } from '../rpcError.ts';

const DEFAULT_CHUNK_BYTES = 262_144;
const MAX_CHUNK_BYTES = 2 * 1024 * 1024;
const DEFAULT_FILE_LINKS = 174;
/** Chunks in memory for one request while they are hashed and written. */
const BLOCKS_AT_ONCE = 4;

interface Added {
  readonly Name: string;
  readonly Hash: string;
  readonly Size: string;
}

/** The commands of this group. */
export const addCommands: Commands = {
  async add(call) {
    const { repo } = call;
    const onlyHash = call.flag('only-hash', false);
    const pin = call.flag('pin', true) && !onlyHash;
    const toFiles = call.text('to-files');
    const target = onlyHash ? discarding(repo.blocks) : repo.blocks;
    const options = importOptions(call);
    const lines = await repo.gate.shared(async () => {
      const added: Added[] = [];
      for await (const { cid, path, size } of importer(candidates(call), target, options)) {
        const name = path === undefined || path === '' ? '' : path;
        added.push({ Name: name || cid.toString(), Hash: cid.toString(), Size: String(size) });
        // The roots alone: what lies below them is kept by their pins.
        if (name.includes('/')) continue;
        if (pin) await repo.pins.add(cid, 'recursive');
        if (toFiles !== undefined && !onlyHash) {
          await repo.mfs.change(mfsPath(toFiles), (present) => {
            if (present) throw new RpcError('directory already has entry by that name');
            return { cid, cumulativeSize: Number(size) };
          });
        }
      }
      return added;
    });
    if (lines.length === 0) throw new RpcError('file argument "path" is required', { status: 400 });
    return { lines };
  },
};

function importOptions(call: Call) {
  if (call.flag('trickle', false)) throw new RpcError('the trickle layout is not supported');
  if ((call.text('hash') ?? 'sha2-256') !== 'sha2-256') throw new RpcError('add stores under sha2-256 alone');
  const cidVersion = call.number('cid-version') ?? 0;
  if (cidVersion !== 0 && cidVersion !== 1) throw new RpcError(`unknown CID version: ${cidVersion}`);
  return {
    cidVersion,
    rawLeaves: call.flag('raw-leaves', cidVersion === 1),
    wrapWithDirectory: call.flag('wrap-with-directory', false),
    chunker: fixedSize({ chunkSize: chunkBytes(call.text('chunker')) }),
    layout: balanced({ maxChildrenPerNode: call.number('max-file-links') ?? DEFAULT_FILE_LINKS }),
    fileImportConcurrency: 1,
    blockWriteConcurrency: BLOCKS_AT_ONCE,
  } as const;
}

function chunkBytes(text: string | undefined): number {
  if (text === undefined || text === 'default') return DEFAULT_CHUNK_BYTES;
  const bytes = Number(/^size-([1-9][0-9]{0,9})$/.exec(text)?.[1]);
  if (Number.isNaN(bytes)) throw new RpcError(`unrecognized chunker option: ${text}`);
  if (bytes > MAX_CHUNK_BYTES)
    throw new RpcError('chunker parameters may not exceed the maximum chunk size of 2097152');
  return bytes;
}

async function* candidates(call: Call): AsyncGenerator<ImportCandidate> {
  for await (const { path, directory, content } of call.parts()) {
    const names = path.split('/').filter((name) => name !== '' && name !== '.');
    if (names.includes('..')) throw new RpcError('a path must not contain ..', { status: 400 });
    const clean = names.join('/');
    if (directory) {
      for await (const _ of content);
      yield { path: clean };
    } else {
      yield clean === '' ? { content } : { path: clean, content };
    }
  }
}

function discarding(blocks: Blocks): Pick<Blocks, 'put' | 'get'> {
  return { put: async (cid) => cid, get: blocks.get };
}
