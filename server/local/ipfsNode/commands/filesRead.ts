// files/stat, ls, read: what stands in the mutable file system.

import type { CID } from 'multiformats/cid';
import { keyOf } from '../blocks.ts';
import type { Call, Commands } from '../command.ts';
import { linksOf } from '../dag.ts';
import { mfsPath } from '../mfs.ts';
import { resolveCid } from '../resolve.ts';
import { BlockMissing, RpcError } from '../rpcError.ts';
import { nodeFacts, readDirectory } from '../unixfsNode.ts';
import { openFile } from './cat.ts';

const DIRECTORY = 1;
const FILE = 0;

/** The commands of this group. */
export const filesReadCommands: Commands = {
  async 'files/stat'(call) {
    const cid = await find(call, call.arg('path'));
    const { type, size, cumulativeSize, childCount } = await nodeFacts(call.repo.blocks, cid);
    return {
      json: {
        Hash: cid.toString(),
        Size: size,
        CumulativeSize: cumulativeSize,
        Blocks: childCount,
        Type: type,
        ...(call.flag('with-local', false) && (await locality(call, cid))),
      },
    };
  },

  async 'files/ls'(call) {
    const path = call.args[0] ?? '/';
    const cid = await find(call, path);
    const long = call.flag('long', false);
    const { type } = await nodeFacts(call.repo.blocks, cid);
    const children =
      type === 'file'
        ? [{ name: path.split('/').at(-1) ?? '', cid }]
        : [...(await readDirectory(call.repo.blocks, cid))].map(([name, entry]) => ({
            name,
            cid: entry.cid,
          }));
    const entries = [];
    for (const child of children) {
      if (!long) {
        entries.push({ Name: child.name, Type: FILE, Size: 0, Hash: '' });
        continue;
      }
      const facts = await nodeFacts(call.repo.blocks, child.cid);
      entries.push({
        Name: child.name,
        Type: facts.type === 'directory' ? DIRECTORY : FILE,
        Size: facts.size,
        Hash: child.cid.toString(),
      });
    }
    if (call.flag('stream', false)) return { lines: entries.map((entry) => ({ Entries: [entry] })) };
    return { json: { Entries: entries.length === 0 ? null : entries } };
  },

  async 'files/read'(call) {
    const cid = await find(call, call.arg('path'));
    const offset = call.number('offset') ?? 0;
    if ((await nodeFacts(call.repo.blocks, cid)).type === 'directory') {
      throw new RpcError(`${call.arg('path')} was not a file`);
    }
    const length = call.number('count') ?? call.number('length');
    return openFile(call.repo.blocks, cid.toString(), { offset, length });
  },
};

async function find({ repo }: Call, path: string): Promise<CID> {
  return path.startsWith('/ipfs/') ? resolveCid(repo.blocks, path) : (await repo.mfs.find(mfsPath(path))).cid;
}

/** How much of a DAG is really here: a name in MFS alone does not promise that no block below is lost. */
async function locality({ repo }: Call, root: CID): Promise<object> {
  const open = [root];
  const seen = new Set<string>();
  let SizeLocal = 0;
  let Local = true;
  for (let cid = open.pop(); cid !== undefined; cid = open.pop()) {
    if (seen.has(keyOf(cid))) continue;
    seen.add(keyOf(cid));
    try {
      const bytes = await repo.blocks.read(cid);
      SizeLocal += bytes.length;
      open.push(...linksOf(cid, bytes));
    } catch (error) {
      if (!(error instanceof BlockMissing)) throw error;
      Local = false;
    }
  }
  return { WithLocality: true, Local, SizeLocal };
}
