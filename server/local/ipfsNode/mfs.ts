// The mutable file system (Kubo's `files` commands): one tree whose root CID is the only thing that changes. A change
// stores new directories first and then replaces the root durably; changes run one after the other.

import { readFile } from 'node:fs/promises';
import { CID } from 'multiformats/cid';
import type { Blocks } from './blocks.ts';
import { dropUnfinished, writeDurably } from './durableFile.ts';
import { FileMissing, RpcError } from './rpcError.ts';
import { type Directory, type Entry, nodeFacts, readDirectory, writeDirectory } from './unixfsNode.ts';

/** What to do with the entry at a path: it gets the present one, returns the new one, undefined to remove it. */
export type Change = (present: Entry | undefined) => Promise<Entry | undefined> | Entry | undefined;

/** The tree. Paths are lists of names; the empty list is the root. */
export interface Mfs {
  root(): CID;
  /** The entry at a path; throws {@link FileMissing}. */
  find(path: readonly string[]): Promise<Entry>;
  /** Changes one entry; `parents` makes the directories on the way. Throws {@link FileMissing} when they are missing. */
  change(path: readonly string[], change: Change, parents?: boolean): Promise<void>;
}

const EMPTY: Directory = new Map();

/** Opens the tree whose root the file names; an empty tree when there is no file. */
export async function openMfs(blocks: Blocks, rootFile: string): Promise<Mfs> {
  await dropUnfinished(rootFile);
  const text = await readFile(rootFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  let root = text === undefined ? (await writeDirectory(blocks, EMPTY)).cid : CID.parse(text.trim());
  let last: Promise<unknown> = Promise.resolve();

  const change = async (path: readonly string[], apply: Change, parents: boolean): Promise<void> => {
    if (path.length === 0) throw new RpcError('cannot change the root directory');
    const next = await changed(blocks, root, path, apply, parents);
    if (next.equals(root)) return;
    await writeDurably(rootFile, `${next}\n`);
    root = next;
  };

  return {
    root: () => root,
    async find(path) {
      let entry: Entry = { cid: root, cumulativeSize: (await nodeFacts(blocks, root)).cumulativeSize };
      for (const name of path) {
        const next = (await readDirectory(blocks, entry.cid)).get(name);
        if (next === undefined) throw new FileMissing();
        entry = next;
      }
      return entry;
    },
    change(path, apply, parents = false) {
      const work = last.then(() => change(path, apply, parents));
      last = work.catch(() => {});
      return work;
    },
  };
}

/** The names of an MFS path; throws {@link RpcError} unless it is absolute and canonical enough to be one. */
export function mfsPath(text: string): string[] {
  if (!text.startsWith('/')) throw new RpcError('paths must start with a leading slash');
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new RpcError('paths must not contain ..');
  return names;
}

async function changed(
  blocks: Blocks,
  root: CID,
  path: readonly string[],
  apply: Change,
  parents: boolean,
): Promise<CID> {
  const above: { directory: Directory; name: string }[] = [];
  let directory = await readDirectory(blocks, root);
  for (const [depth, name] of path.entries()) {
    above.push({ directory, name });
    if (depth === path.length - 1) break;
    const next = directory.get(name);
    if (next === undefined && !parents) throw new FileMissing();
    directory = next === undefined ? EMPTY : await readDirectory(blocks, next.cid);
  }
  const target = above.at(-1);
  if (target === undefined) return root;
  let entry = await apply(target.directory.get(target.name));
  for (const level of above.reverse()) {
    const entries = new Map(level.directory);
    if (entry === undefined) entries.delete(level.name);
    else entries.set(level.name, entry);
    entry = await writeDirectory(blocks, entries);
  }
  return entry?.cid ?? root;
}
