// `npm run subgraphs`: generated types and WASM of both subgraphs, only when something they are made of has changed.
// The committed manifests are those of the local chain; for another network the operator fills networks.json.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('./', import.meta.url));
const STAMP = join('build', '.stamp');

/** The subgraphs of this project. */
export const SUBGRAPHS = ['hub', 'documents'] as const;

/**
 * Build both subgraphs for the local chain.
 *
 * @param force Build although nothing changed
 * @throws Error with the compiler's own words when a mapping does not compile
 */
export async function buildSubgraphs({ force = false }: { force?: boolean } = {}): Promise<void> {
  await Promise.all(SUBGRAPHS.map((name) => buildSubgraph(join(FOLDER, name), force)));
}

async function buildSubgraph(folder: string, force: boolean): Promise<void> {
  const stamp = await stampOf(folder);
  const stampFile = join(folder, STAMP);
  if (!force && existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp) return;
  await graph(['codegen', '--skip-migrations'], folder);
  await graph(['build', '--skip-migrations'], folder);
  await writeFile(stampFile, stamp);
}

async function graph(args: readonly string[], folder: string): Promise<void> {
  const cli = createRequire(import.meta.url).resolve('@graphprotocol/graph-cli/package.json');
  try {
    await run(process.execPath, [join(dirname(cli), 'bin', 'run.js'), ...args], { cwd: folder });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`graph ${args[0]} failed in ${folder}\n${stdout}${stderr}`, { cause: error });
  }
}

/** A hash over everything that the build is made of. */
async function stampOf(folder: string): Promise<string> {
  const sources = (await readdir(join(folder, 'src'))).sort().map((name) => join(folder, 'src', name));
  const files = [join(folder, 'schema.graphql'), join(folder, 'subgraph.yaml'), ...sources];
  files.push(join(FOLDER, '..', 'abis', 'Hub.json'));
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file.slice(FOLDER.length))
      .update('\0')
      .update(await readFile(file))
      .update('\0');
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildSubgraphs({ force: process.argv.includes('--force') });
}
