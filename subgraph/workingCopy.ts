// graph-cli writes beside the sources that it reads. So that two builds never meet, and that building for another network
// leaves the committed manifest alone, each build runs in a copy of its own. The CLI gets an empty environment: it looks
// for no update and writes nothing into a home folder.

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { LOCAL_NETWORK, type NetworkSource } from './networkSource.ts';
import { SUBGRAPH_FOLDER, type SubgraphName, sourceFiles } from './sources.ts';

const run = promisify(execFile);

/** A subgraph's sources apart from everybody else's. */
export interface WorkingCopy {
  /** Runs `graph codegen`; returns what it wrote: path below `generated/` -> text. */
  generateTypes(): Promise<ReadonlyMap<string, string>>;
  /** Runs `graph build`; throws with the compiler's own words. */
  compile(): Promise<void>;
  /** The folder that {@link compile} fills. */
  readonly compiled: string;
}

/** Hands a fresh copy to `work` and removes it afterwards, whatever happens. */
export async function inWorkingCopy<T>(
  name: SubgraphName,
  source: NetworkSource,
  work: (copy: WorkingCopy) => Promise<T>,
): Promise<T> {
  // Below the project, so that the CLI finds its libraries in node_modules.
  const parent = join(SUBGRAPH_FOLDER, name, 'build');
  await mkdir(parent, { recursive: true });
  const root = await mkdtemp(join(parent, '.copy-'));
  try {
    for (const file of await sourceFiles(name)) await cp(join(SUBGRAPH_FOLDER, '..', file), join(root, file));
    const folder = join(root, 'subgraph', name);
    await pointAt(source, join(folder, 'subgraph.yaml'));
    return await work({
      generateTypes: async () => {
        await graph('codegen', folder, root);
        return readTexts(join(folder, 'generated'));
      },
      compile: () => graph('build', folder, root),
      compiled: join(folder, 'build'),
    });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** The committed manifest is the local chain's and is taken as it stands. */
async function pointAt(source: NetworkSource, manifest: string): Promise<void> {
  if (source.network === LOCAL_NETWORK) return;
  const { network, address, startBlock } = source;
  const content = parse(await readFile(manifest, 'utf8')) as {
    dataSources: { network: string; source: object }[];
  };
  for (const each of content.dataSources) {
    each.network = network;
    Object.assign(each.source, { address, startBlock });
  }
  await writeFile(manifest, stringify(content));
}

async function graph(command: 'codegen' | 'build', folder: string, home: string): Promise<void> {
  const cli = createRequire(import.meta.url).resolve('@graphprotocol/graph-cli/package.json');
  const env = { HOME: home, GRAPH_SKIP_NEW_VERSION_CHECK: 'true' };
  try {
    await run(process.execPath, [join(dirname(cli), 'bin', 'run.js'), command, '--skip-migrations'], {
      cwd: folder,
      env,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`graph ${command} failed for ${relative(SUBGRAPH_FOLDER, folder)}\n${stdout}${stderr}`, {
      cause: error,
    });
  }
}

async function readTexts(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = files
    .sort()
    .map(async (file) => [relative(folder, file), await readFile(file, 'utf8')] as const);
  return new Map(await Promise.all(texts));
}
