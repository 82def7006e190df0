// Putting a finished build in place file by file, each one whole at any moment: graph-node or a second build may be
// reading or writing the same folder.

import { copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** Copies every file below `from` to the same place below `to`. */
export async function copyFolder(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const source = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, source));
    await mkdir(dirname(target), { recursive: true });
    const fresh = `${target}.${process.pid}.new`;
    await copyFile(source, fresh);
    await rename(fresh, target);
  }
}
