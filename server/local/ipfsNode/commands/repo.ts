// repo/gc, repo/stat, and repo/version for tools that ask for it.

import { keyOf } from '../blocks.ts';
import type { Commands } from '../command.ts';
import { heldBlocks } from '../repo.ts';

/** The commands of this group. */
export const repoCommands: Commands = {
  async 'repo/gc'({ repo }) {
    const lines = await repo.gate.exclusive(async () => {
      const kept = await heldBlocks(repo, [repo.mfs.root()]);
      const removed: { Key: { '/': string } }[] = [];
      for await (const cid of repo.blocks.list()) {
        if (kept.has(keyOf(cid))) continue;
        await repo.blocks.remove(cid);
        removed.push({ Key: { '/': cid.toString() } });
      }
      return removed;
    });
    return { lines };
  },

  async 'repo/stat'({ repo }) {
    let NumObjects = 0;
    let RepoSize = 0;
    for await (const cid of repo.blocks.list()) {
      NumObjects += 1;
      RepoSize += await repo.blocks.size(cid);
    }
    return { json: { RepoSize, StorageMax: 0, NumObjects, RepoPath: repo.folder, Version: 'fs-repo@18' } };
  },

  'repo/version': () => ({ json: { Version: '18' } }),
};
