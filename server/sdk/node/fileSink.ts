// Sealed bytes on disk, for packages that should not stay in memory. Must not be left behind: discard it when done.

import { openAsBlob } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { SealedSink } from '../sealedSink.ts';

/** A sink that writes to a new file. @throws EEXIST when the path is taken */
export async function fileSink(path: string): Promise<SealedSink> {
  const file: FileHandle = await open(path, 'wx', 0o600);
  return {
    async write(chunk) {
      await file.writeFile(chunk);
    },
    async finish() {
      await file.close();
      return openAsBlob(path);
    },
    async discard() {
      await file.close().catch(() => {});
      await rm(path, { force: true });
    },
  };
}
