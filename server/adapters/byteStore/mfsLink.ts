// Links in MFS: what keeps an envelope or a ciphertext from garbage collection, under a path that the service computes.

import type { CID } from 'multiformats/cid';
import { isFileExisting, isFileMissing, type Kubo, storageFailure } from './kubo.ts';
import type { StoredCiphertext } from './stored.ts';

/** What a path is linked to, or undefined. `complete` is known only when it was asked for. */
export async function linkAt(
  kubo: Kubo,
  path: string,
  withLocal = false,
): Promise<(StoredCiphertext & { readonly complete: boolean }) | undefined> {
  try {
    const facts = await kubo.call(({ client, options }) =>
      client.files.stat(path, { ...options, withLocal }),
    );
    if (facts.type !== 'file') throw storageFailure(new Error(`${path} is no file.`));
    return { dagRoot: facts.cid.toString(), byteLength: facts.size, complete: facts.local === true };
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}

/** Links a path to a CID, whatever it was linked to before. */
export async function link(kubo: Kubo, path: string, cid: CID): Promise<void> {
  const copy = (): Promise<void> =>
    kubo.call(({ client, options }) => client.files.cp(`/ipfs/${cid}`, path, { ...options, parents: true }));
  try {
    await copy();
  } catch (error) {
    if (!isFileExisting(error)) throw error;
    if ((await linkAt(kubo, path))?.dagRoot === cid.toString()) return;
    await unlink(kubo, path);
    await copy();
  }
}

/** Removes a link; false when there was none. */
export async function unlink(kubo: Kubo, path: string): Promise<boolean> {
  try {
    await kubo.call(({ client, options }) => client.files.rm(path, options));
    return true;
  } catch (error) {
    if (isFileMissing(error)) return false;
    throw error;
  }
}

/** The entries of a folder; none when there is no such folder. */
export async function* linksIn(
  kubo: Kubo,
  folder: string,
): AsyncGenerator<StoredCiphertext & { readonly name: string }> {
  try {
    for await (const entry of kubo.stream(({ client, options }) => client.files.ls(folder, options))) {
      yield { name: entry.name, dagRoot: entry.cid.toString(), byteLength: entry.size };
    }
  } catch (error) {
    if (!isFileMissing(error)) throw error;
  }
}
