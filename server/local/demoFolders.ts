// The work of the demo's Solvers: real folders, and whether two of them hold the same bytes.

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../protocol/sha256Hex.ts';

/** Writes a Solver's folder: a report, raw readings and the program that evaluates them. */
export async function writeWork(folder: string, solver: number): Promise<void> {
  const readings = Array.from({ length: 2_000 }, (_, second) => {
    const kelvin = 302.9146 + Math.sin(second * (solver + 1)) / 500;
    return `${second},${kelvin.toFixed(5)}`;
  });
  await mkdir(join(folder, 'analysis'), { recursive: true });
  await writeFile(
    join(folder, 'report.md'),
    `# Melting point of gallium\n\nSolver ${solver + 1}: 302.9146 K.\n`,
  );
  await writeFile(join(folder, 'readings.csv'), `second,kelvin\n${readings.join('\n')}\n`);
  await writeFile(join(folder, 'analysis', 'mean.py'), 'print("302.9146")\n', { mode: 0o755 });
}

/** Every file of a folder with the SHA-256 of its bytes. */
export async function digestsOf(folder: string): Promise<Record<string, string>> {
  const digests: [string, string][] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name);
    if (entry.isFile()) digests.push([place.slice(folder.length + 1), sha256Hex(await readFile(place))]);
  }
  return Object.fromEntries(digests.sort(([one], [other]) => (one < other ? -1 : 1)));
}
