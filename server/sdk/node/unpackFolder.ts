// A package becomes a folder again, from bytes that somebody else made: every limit holds while they stream, nothing is
// written outside a new folder beside the target, and the target appears only once all of it was right.

import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Extract, extract } from 'tar-stream';
import { byteLimit } from './byteLimit.ts';
import { PackageError } from './packageError.ts';
import { extractedTooLarge, type PackageLimits, packageLimits, packedTooLarge } from './packageLimits.ts';
import { PackagePaths } from './packagePath.ts';
import type { PackedFolder } from './packFolder.ts';

/** How a package is unpacked. */
export interface UnpackOptions {
  /** The challenge's limits, where it states smaller ones. */
  readonly limits?: Partial<PackageLimits> | undefined;
  /** Hears how many packed bytes are done. */
  readonly onBytes?: ((packedBytes: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Header, padding and a long name: more than an entry takes beyond its content. */
const ENTRY_OVERHEAD_BYTES = 8 * 1024;
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Unpack into a new folder.
 *
 * @param target A path that must not exist; its parent must
 * @throws PackageError that names the entry; what the source throws; the file system's own errors
 */
export async function unpackFolder(
  source: AsyncIterable<Uint8Array>,
  target: string,
  { limits: stated, onBytes, signal }: UnpackOptions = {},
): Promise<PackedFolder> {
  const limits = packageLimits(stated);
  await requireAbsent(target);
  const partial = join(dirname(target), `.unpacking-${randomBytes(8).toString('hex')}`);
  await mkdir(partial, { mode: 0o700 });
  try {
    let packedBytes = 0;
    const packed = byteLimit(
      limits.packedBytes,
      () => packedTooLarge(limits),
      (total) => {
        packedBytes = total;
        onBytes?.(total);
      },
    );
    const mostBytes = limits.extractedBytes + limits.entries * ENTRY_OVERHEAD_BYTES;
    const unpacked = byteLimit(mostBytes, () => extractedTooLarge(limits, ''));
    const archive = extract();
    archive.on('error', () => {});
    let sourceFailure: { readonly of: unknown } | undefined;
    const guarded = guard(source, (error) => {
      sourceFailure = { of: error };
    });
    const reading = pipeline(Readable.from(guarded), packed, createGunzip(), unpacked, archive, { signal });
    const [read, written] = await Promise.allSettled([reading, writeEntries(archive, partial, limits)]);
    signal?.throwIfAborted();
    if (sourceFailure !== undefined) throw sourceFailure.of;
    const failures = [written, read].flatMap((one) =>
      one.status === 'rejected' ? [one.reason as Error] : [],
    );
    const own = failures.find((error) => error instanceof PackageError);
    if (own ?? failures[0]) throw own ?? asFailure(failures);
    const { entries, extractedBytes } = (written as PromiseFulfilledResult<Written>).value;
    await requireAbsent(target);
    await rename(partial, target);
    return { packedBytes, extractedBytes, entries };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

interface Written {
  readonly entries: number;
  readonly extractedBytes: number;
}

async function writeEntries(archive: Extract, folder: string, limits: PackageLimits): Promise<Written> {
  const paths = new PackagePaths(limits.entries);
  let extractedBytes = 0;
  for await (const entry of archive) {
    const { type, name, mode = 0o644 } = entry.header;
    if (type === 'directory') {
      const names = paths.add(name.replace(/\/$/, ''), 'folder');
      await mkdir(join(folder, ...names), { recursive: true, mode: 0o755 });
      entry.resume();
    } else if (type === 'file' || type === 'contiguous-file') {
      const names = paths.add(name, 'file');
      await mkdir(join(folder, ...names.slice(0, -1)), { recursive: true, mode: 0o755 });
      const file = await open(join(folder, ...names), NEW_FILE, (mode & 0o100) === 0 ? 0o644 : 0o755);
      try {
        for await (const chunk of entry as AsyncIterable<Uint8Array>) {
          extractedBytes += chunk.length;
          if (extractedBytes > limits.extractedBytes) throw extractedTooLarge(limits, name);
          await file.writeFile(chunk);
        }
      } finally {
        await file.close();
      }
    } else {
      const message = `A package has regular files and folders alone, and this is ${type ?? 'of an unknown kind'}.`;
      throw new PackageError('unsupported_entry', name, message);
    }
  }
  if (paths.count === 0) throw new PackageError('malformed_archive', '', 'The package is empty.');
  return { entries: paths.count, extractedBytes };
}

async function* guard(
  source: AsyncIterable<Uint8Array>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => {
        onFailure(error);
        throw error;
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function requireAbsent(target: string): Promise<void> {
  const there = await lstat(target).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  if (there) throw new PackageError('target_exists', '', `${target} exists already; name a new folder.`);
}

const FILE_SYSTEM_ERROR = /^E[A-Z]+$/;

function asFailure(failures: readonly Error[]): Error {
  const system = failures.find((error) =>
    FILE_SYSTEM_ERROR.test((error as NodeJS.ErrnoException).code ?? ''),
  );
  const [first] = failures;
  if (system !== undefined) return system;
  return new PackageError('malformed_archive', '', `The package is no whole tar.gz: ${first?.message}.`, {
    cause: first,
  });
}
