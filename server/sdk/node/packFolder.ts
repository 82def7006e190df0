// A folder becomes a package: tar.gz (specification section 8), the same bytes for the same content. Regular files and
// folders alone; owners, times and all modes but "executable" are left out. Checked while it is packed.

import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Header, type Pack, pack } from 'tar-stream';
import type { Progress } from '../transfer.ts';
import { byteLimit } from './byteLimit.ts';
import { PackageError } from './packageError.ts';
import { extractedTooLarge, type PackageLimits, packageLimits, packedTooLarge } from './packageLimits.ts';
import { PackagePaths } from './packagePath.ts';

/** How a folder is packed. */
export interface PackOptions {
  /** The challenge's limits, where it states smaller ones. */
  readonly limits?: Partial<PackageLimits> | undefined;
  /** Hears how many bytes of the files are packed. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What was packed; sizes in bytes. */
export interface PackedFolder {
  readonly packedBytes: number;
  readonly extractedBytes: number;
  readonly entries: number;
}

interface Found {
  readonly path: string;
  readonly place: string;
  /** Undefined for a folder. */
  readonly stats: BigIntStats | undefined;
}

/** The same for every package: nothing of the machine that packed it gets in. */
const NOBODY = { uid: 0, gid: 0, uname: '', gname: '', mtime: new Date(0) };
const READ_BYTES = 256 * 1024;

/**
 * Pack a folder into a new file.
 *
 * @param archive A path that must not exist; nothing is left there when packing fails
 * @throws PackageError that names the entry; the file system's own errors
 */
export async function packFolder(
  folder: string,
  archive: string,
  { limits: stated, onProgress, signal }: PackOptions = {},
): Promise<PackedFolder> {
  const limits = packageLimits(stated);
  const { found, extractedBytes } = await survey(folder, limits);
  const tar = pack();
  // Both ends of the pipeline tell what went wrong; the stream's own word would come once more, to nobody.
  tar.on('error', () => {});
  let packedBytes = 0;
  const counted = byteLimit(
    limits.packedBytes,
    () => packedTooLarge(limits),
    (total) => {
      packedBytes = total;
    },
  );
  const file = (await open(archive, 'wx', 0o600)).createWriteStream();
  try {
    let done = 0;
    const filling = fill(tar, found, (bytes) => {
      done += bytes;
      onProgress?.({ done, total: extractedBytes });
    }).catch((error: unknown) => {
      tar.destroy(error as Error);
      throw error;
    });
    const writing = pipeline(tar, createGzip({ level: 6 }), counted, file, { signal });
    const [filled, written] = await Promise.allSettled([filling, writing]);
    // What stopped the pipeline also stops the filling; what stopped the filling is the cause.
    if (written.status === 'rejected' && filled.status === 'fulfilled') throw written.reason;
    if (filled.status === 'rejected')
      throw written.status === 'rejected' && !(filled.reason instanceof PackageError)
        ? written.reason
        : filled.reason;
    return { packedBytes, extractedBytes, entries: found.length };
  } catch (error) {
    await rm(archive, { force: true });
    throw error;
  }
}

/** Everything in the folder, ascending by path, checked by name, kind, number and size before a byte is read. */
async function survey(
  folder: string,
  limits: PackageLimits,
): Promise<{ found: Found[]; extractedBytes: number }> {
  const paths = new PackagePaths(limits.entries);
  const found: Found[] = [];
  let extractedBytes = 0;
  const walk = async (place: string, prefix: string): Promise<void> => {
    const names = (await readdir(place)).sort((one, other) => (one < other ? -1 : 1));
    for (const name of names) {
      const path = prefix + name;
      const inside = join(place, name);
      const stats = await lstat(inside, { bigint: true });
      if (stats.isDirectory()) {
        paths.add(path, 'folder');
        found.push({ path, place: inside, stats: undefined });
        await walk(inside, `${path}/`);
      } else if (stats.isFile()) {
        paths.add(path, 'file');
        extractedBytes += Number(stats.size);
        if (extractedBytes > limits.extractedBytes) throw extractedTooLarge(limits, path);
        found.push({ path, place: inside, stats });
      } else {
        const message = 'Only regular files and folders can be packed; replace or remove it.';
        throw new PackageError('unsupported_entry', path, message);
      }
    }
  };
  await walk(folder, '');
  if (found.length === 0) throw new PackageError('empty_folder', '', 'The folder is empty.');
  return { found, extractedBytes };
}

async function fill(tar: Pack, found: readonly Found[], onBytes: (bytes: number) => void): Promise<void> {
  for (const { path, place, stats } of found) {
    if (stats === undefined)
      await entry(tar, { ...NOBODY, name: `${path}/`, type: 'directory', mode: 0o755, size: 0 });
    else await addFile(tar, path, place, stats, onBytes);
  }
  tar.finalize();
}

async function addFile(
  tar: Pack,
  path: string,
  place: string,
  stats: BigIntStats,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const size = Number(stats.size);
    await requireUnchanged(file, stats, path);
    const mode = (Number(stats.mode) & 0o100) === 0 ? 0o644 : 0o755;
    await entry(tar, { ...NOBODY, name: path, type: 'file', mode, size }, async (write) => {
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      for (let at = 0; at < size; ) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(READ_BYTES, size - at), at);
        if (bytesRead === 0) throw changed(path);
        await write(Buffer.from(buffer.subarray(0, bytesRead)));
        onBytes(bytesRead);
        at += bytesRead;
      }
    });
    await requireUnchanged(file, stats, path);
  } finally {
    await file.close();
  }
}

/** One entry of the archive; rejects when the archive is destroyed meanwhile. */
async function entry(
  tar: Pack,
  header: Partial<Header> & Pick<Header, 'name'>,
  fillIn?: (write: (chunk: Buffer) => Promise<void>) => Promise<void>,
): Promise<void> {
  let onClose = (): void => {};
  const ended = new Promise<void>((resolve, reject) => {
    onClose = () => reject(new Error('The archive ended early.'));
    tar.on('close', onClose);
    const sink = tar.entry(header, (error) => (error ? reject(error) : resolve()));
    sink.on('error', reject);
    if (fillIn === undefined) return;
    const write = async (chunk: Buffer): Promise<void> => {
      if (!sink.write(chunk)) await new Promise<void>((drained) => sink.once('drain', () => drained()));
    };
    fillIn(write).then(() => sink.end(null), reject);
  });
  try {
    await ended;
  } finally {
    tar.off('close', onClose);
  }
}

async function requireUnchanged(file: FileHandle, stats: BigIntStats, path: string): Promise<void> {
  const now = await file.stat({ bigint: true });
  const same =
    now.ino === stats.ino &&
    now.dev === stats.dev &&
    now.size === stats.size &&
    now.mtimeNs === stats.mtimeNs;
  if (!same) throw changed(path);
}

function changed(path: string): PackageError {
  return new PackageError('changed_while_read', path, 'The file changed while it was packed; try again.');
}
