// `npm run subgraphs [-- --network base] [-- --force]`: both subgraphs compiled for one network, only when something that
// they are made of has changed, and the committed types in `generated/` renewed. Reads no environment, asks no network.

import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LOCAL_NETWORK, type NetworkSource, networkSource } from './networkSource.ts';
import { copyFolder } from './replaceFiles.ts';
import { SUBGRAPH_FOLDER, type SubgraphName, sourcesHash } from './sources.ts';
import { inWorkingCopy } from './workingCopy.ts';

/** Where a compiled subgraph lies. */
export interface BuiltSubgraph {
  /** The folder with everything that a deployment uploads. */
  readonly dir: string;
  /** Its `subgraph.yaml`, whose paths start from `dir`. */
  readonly manifest: string;
}

/** What {@link buildSubgraphs} is told. */
export interface BuildOptions {
  /** A network of `networks.json`; default `local`. */
  readonly network?: string;
  /** Build although nothing changed. */
  readonly force?: boolean;
}

/**
 * Compiles both subgraphs into their `build/`, for other networks than the local one into `build/<network>/`.
 *
 * @throws Error when the network is unknown or nobody has filled in its Hub, or with the compiler's own words
 */
export async function buildSubgraphs({
  network = LOCAL_NETWORK,
  force = false,
}: BuildOptions = {}): Promise<Record<SubgraphName, BuiltSubgraph>> {
  const source = await networkSource(network);
  const [hub, documents] = await Promise.all([
    buildSubgraph('hub', source, force),
    buildSubgraph('documents', source, force),
  ]);
  return { hub, documents };
}

async function buildSubgraph(
  name: SubgraphName,
  source: NetworkSource,
  force: boolean,
): Promise<BuiltSubgraph> {
  const dir = join(SUBGRAPH_FOLDER, name, 'build', source.network === LOCAL_NETWORK ? '' : source.network);
  const built = { dir, manifest: join(dir, 'subgraph.yaml') };
  const stampFile = join(dir, '.stamp');
  const stamp = await sourcesHash(name, source);
  if (!force && existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === stamp) return built;
  await inWorkingCopy(name, source, async (copy) => {
    await copy.generateTypes();
    await copy.compile();
    await copyFolder(copy.compiled, dir);
  });
  await writeFile(stampFile, stamp);
  return built;
}

/** The types that `graph codegen` makes of schema and ABI: path below `generated/` -> text. */
export function generatedTypes(name: SubgraphName): Promise<ReadonlyMap<string, string>> {
  return networkSource(LOCAL_NETWORK).then((source) =>
    inWorkingCopy(name, source, (copy) => copy.generateTypes()),
  );
}

async function renewGenerated(name: SubgraphName): Promise<void> {
  for (const [path, text] of await generatedTypes(name)) {
    const file = join(SUBGRAPH_FOLDER, name, 'generated', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { network: { type: 'string' }, force: { type: 'boolean' } } });
  await Promise.all((['hub', 'documents'] as const).map(renewGenerated));
  const built = await buildSubgraphs({
    network: values.network ?? LOCAL_NETWORK,
    force: values.force ?? false,
  });
  for (const { manifest } of Object.values(built)) console.log(manifest);
}
