// Paths inside a package, the same rules on both ends: relative, with slashes, no two of them one file on any file system
// that folds case or composes characters, and one reading only.

import { PackageError } from './packageError.ts';

const MAX_PATH_BYTES = 4_096;
const MAX_NAME_BYTES = 255;
const DRIVE = /^[a-z]:/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f]/;

/** The paths of one package, and how much they may be. */
export class PackagePaths {
  private readonly seen = new Map<string, { readonly path: string; readonly kind: 'file' | 'folder' }>();
  private readonly maxEntries: number;

  constructor(maxEntries: number) {
    this.maxEntries = maxEntries;
  }

  get count(): number {
    return this.seen.size;
  }

  /**
   * Takes a path with the folders above it.
   *
   * @returns The names on the way
   * @throws PackageError for a path that is unsafe or there already, and beyond the number of entries
   */
  add(path: string, kind: 'file' | 'folder'): string[] {
    const names = path.split('/');
    requireSafe(path, names);
    for (let depth = 1; depth < names.length; depth += 1)
      this.take(names.slice(0, depth).join('/'), 'folder', true);
    this.take(path, kind, kind === 'folder');
    return names;
  }

  private take(path: string, kind: 'file' | 'folder', mayRepeat: boolean): void {
    const folded = path.normalize('NFC').toLowerCase();
    const known = this.seen.get(folded);
    if (known === undefined) {
      if (this.seen.size >= this.maxEntries)
        throw new PackageError(
          'too_many_entries',
          '',
          `A package has at most ${this.maxEntries} files and folders.`,
        );
      this.seen.set(folded, { path, kind });
      return;
    }
    if (mayRepeat && known.kind === kind && known.path === path) return;
    const message = `There is ${JSON.stringify(known.path)} already, which some file systems take for the same.`;
    throw new PackageError('duplicate_path', path, message);
  }
}

function requireSafe(path: string, names: readonly string[]): void {
  const problem = problemOf(path, names);
  if (problem !== undefined) throw new PackageError('unsafe_path', path, problem);
}

function problemOf(path: string, names: readonly string[]): string | undefined {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `A path has at most ${MAX_PATH_BYTES} bytes.`;
  if (path.includes('\\')) return 'A path has no backslash.';
  if (CONTROL.test(path)) return 'A path has no control characters.';
  if (path.includes('\ufffd')) return 'A name must be valid UTF-8.';
  if (DRIVE.test(path)) return 'A path is relative, without a drive.';
  for (const name of names) {
    if (name === '' || name === '.' || name === '..')
      return 'A path is relative, and no part of it is empty, "." or "..".';
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) return `A name has at most ${MAX_NAME_BYTES} bytes.`;
  }
  return undefined;
}
