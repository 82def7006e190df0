// A small file that is either the old one or the new one, whatever moment the process or the machine dies at.

import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces the file: a temporary file beside it is written, flushed to disk and renamed; callers do not overlap. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = temporaryOf(path);
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Removes what a process left that was killed while it replaced the file. */
export async function dropUnfinished(path: string): Promise<void> {
  await rm(temporaryOf(path), { force: true });
}

/** Flushes a folder's entries, so that a rename, a new or a removed file in it survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function temporaryOf(path: string): string {
  return `${path}.new`;
}
