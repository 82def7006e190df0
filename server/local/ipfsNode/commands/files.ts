// files/cp, mv, rm, mkdir: changes of the mutable file system.

import type { Call, Commands } from '../command.ts';
import { mfsPath } from '../mfs.ts';
import { resolveCid } from '../resolve.ts';
import { FileMissing, RpcError } from '../rpcError.ts';
import { type Entry, nodeFacts, writeDirectory } from '../unixfsNode.ts';

/** The commands of this group. */
export const filesCommands: Commands = {
  async 'files/cp'(call) {
    const [source, target] = twoPaths(call);
    const { repo } = call;
    await repo.gate.shared(async () => {
      const entry = await sourceEntry(call, source);
      await repo.mfs.change(targetPath(source, target), vacant(target, entry), call.flag('parents', false));
    });
    return { empty: true };
  },

  async 'files/mv'(call) {
    const [source, target] = twoPaths(call);
    const { repo } = call;
    await repo.gate.shared(async () => {
      const from = mfsPath(source);
      const entry = await repo.mfs.find(from);
      await repo.mfs.change(targetPath(source, target), vacant(target, entry));
      await repo.mfs.change(from, () => undefined);
    });
    return { empty: true };
  },

  async 'files/rm'(call) {
    call.arg('path');
    const failures: string[] = [];
    for (const path of call.args) {
      try {
        await remove(call, path);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        if (call.flag('force', false) && error instanceof FileMissing) continue;
        // Kubo goes on with the other paths and answers 200: the failures are lines of the body.
        failures.push(`${path}: ${error.message}`);
      }
    }
    return { lines: failures };
  },

  async 'files/mkdir'(call) {
    const path = mfsPath(call.arg('path'));
    const parents = call.flag('parents', false);
    const { repo } = call;
    await repo.gate.shared(async () => {
      if (path.length === 0 && parents) return;
      await repo.mfs.change(
        path,
        async (present) => {
          if (present === undefined) return writeDirectory(repo.blocks, new Map());
          const { type } = await nodeFacts(repo.blocks, present.cid);
          if (!parents || type !== 'directory') throw new RpcError('file already exists');
          return present;
        },
        parents,
      );
    });
    return { empty: true };
  },

  async 'files/flush'(call) {
    const { cid } = await call.repo.mfs.find(mfsPath(call.args[0] ?? '/'));
    return { json: { Cid: cid.toString() } };
  },
};

async function remove({ repo, flag }: Call, path: string): Promise<void> {
  const recursive = flag('recursive', false) || flag('force', false);
  await repo.gate.shared(() =>
    repo.mfs.change(mfsPath(path), async (present) => {
      if (present === undefined) throw new FileMissing();
      if (!recursive && (await nodeFacts(repo.blocks, present.cid)).type === 'directory') {
        throw new RpcError('path is a directory, use -r to remove directories');
      }
      return undefined;
    }),
  );
}

function twoPaths(call: Call): [string, string] {
  const [source, target] = call.args;
  if (!source) throw new RpcError('argument "source" is required', { status: 400 });
  if (!target) throw new RpcError('argument "dest" is required', { status: 400 });
  return [source, target];
}

async function sourceEntry({ repo }: Call, source: string): Promise<Entry> {
  if (!source.startsWith('/ipfs/')) return repo.mfs.find(mfsPath(source));
  const cid = await resolveCid(repo.blocks, source);
  return { cid, cumulativeSize: (await nodeFacts(repo.blocks, cid)).cumulativeSize };
}

/** A target that ends in a slash means the folder, in which the entry keeps its name. */
function targetPath(source: string, target: string): string[] {
  const names = mfsPath(target);
  return target.endsWith('/') ? [...names, source.split('/').findLast((name) => name !== '') ?? ''] : names;
}

function vacant(target: string, entry: Entry) {
  return (present: Entry | undefined): Entry => {
    if (present) {
      throw new RpcError(`cp: cannot put node in path ${target}: directory already has entry by that name`);
    }
    return entry;
  };
}
