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

/** Where a subgraph is deployed to. */
export interface DeploymentTarget {
  /** The name that it is asked under, as `bounty/hub`. */
  readonly name: string;
  /** graph-node's admin port. */
  readonly adminUrl: string;
  /** The RPC of the IPFS node that graph-node reads from. */
  readonly ipfsUrl: string;
  readonly versionLabel: string;
}

/** A subgraph's sources apart from everybody else's. */
export interface WorkingCopy {
  /** Runs `graph codegen`; returns what it wrote: path below `generated/` -> text. */
  generateTypes(): Promise<ReadonlyMap<string, string>>;
  /** Runs `graph build`; throws with the compiler's own words. */
  compile(): Promise<void>;
  /** Runs `graph create` and `graph deploy`; returns the deployment id. Throws with the CLI's own words. */
  deploy(target: DeploymentTarget): Promise<string>;
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
      compile: async () => void (await graph('build', folder, root)),
      deploy: async ({ name: asked, adminUrl, ipfsUrl, versionLabel }) => {
        await graph('create', folder, root, '--node', adminUrl, asked);
        const output = await graph(
          'deploy',
          folder,
          root,
          ...['--node', adminUrl, '--ipfs', ipfsUrl, '--version-label', versionLabel, asked],
        );
        const id = DEPLOYMENT_ID.exec(output)?.[0];
        if (id === undefined) throw new Error(`graph deploy named no deployment id:\n${output}`);
        return id;
      },
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

/** A CIDv0, which is what graph-node calls a deployment by. */
const DEPLOYMENT_ID = /\bQm[1-9A-HJ-NP-Za-km-z]{44}\b/;
/** Commands that know migrations of old manifests. */
const MIGRATING: readonly string[] = ['codegen', 'build', 'deploy'];

async function graph(
  command: 'codegen' | 'build' | 'create' | 'deploy',
  folder: string,
  home: string,
  ...args: string[]
): Promise<string> {
  const cli = createRequire(import.meta.url).resolve('@graphprotocol/graph-cli/package.json');
  const env = { HOME: home, GRAPH_SKIP_NEW_VERSION_CHECK: 'true' };
  try {
    const flags = MIGRATING.includes(command) ? ['--skip-migrations'] : [];
    const line = [join(dirname(cli), 'bin', 'run.js'), command, ...flags, ...args];
    const { stdout, stderr } = await run(process.execPath, line, { cwd: folder, env });
    return stdout + stderr;
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
