// What garbage collection must keep, besides MFS. Each pin is an empty file named by its CID, so that pinning and
// unpinning are one atomic change of a folder and cost the same however many pins there are.

import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CID } from 'multiformats/cid';
import { syncFolder } from './durableFile.ts';

/** `recursive` keeps all that a block links to, `direct` the block alone. */
export type PinMode = 'recursive' | 'direct';

/** The pins. A CID is pinned in one mode at most. */
export interface Pins {
  mode(cid: CID): PinMode | undefined;
  /** Adds or changes a pin; the caller made sure that the DAG is complete. */
  add(cid: CID, mode: PinMode): Promise<void>;
  /** Removes a pin; nothing happens when there is none. */
  remove(cid: CID): Promise<void>;
  entries(): { readonly cid: CID; readonly mode: PinMode }[];
}

const MODES = ['recursive', 'direct'] as const;

/** Reads the pins of a folder, which is created when missing. */
export async function openPins(folder: string): Promise<Pins> {
  const held = new Map<string, PinMode>();
  for (const mode of MODES) {
    await mkdir(join(folder, mode), { recursive: true });
    for (const name of await readdir(join(folder, mode))) held.set(name, held.get(name) ?? mode);
  }
  return {
    mode: (cid) => held.get(cid.toString()),
    async add(cid, mode) {
      const name = cid.toString();
      const earlier = held.get(name);
      if (earlier === mode) return;
      await (await open(join(folder, mode, name), 'w', 0o600)).close();
      await syncFolder(join(folder, mode));
      if (earlier) await rm(join(folder, earlier, name), { force: true });
      held.set(name, mode);
    },
    async remove(cid) {
      const name = cid.toString();
      held.delete(name);
      for (const mode of MODES) {
        await rm(join(folder, mode, name), { force: true });
        await syncFolder(join(folder, mode));
      }
    },
    entries: () => [...held].map(([name, mode]) => ({ cid: CID.parse(name), mode })),
  };
}
