// A small file that is either the old one or the new one, whatever moment the process or the machine dies at.

import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces the file: a temporary file beside it is written, flushed to disk and renamed; callers do not overlap. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
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

/** Flushes a folder's entries, so that a rename, a new or a removed file in it survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
