// What a subgraph is made of: its own folder, the CID computation that both share, and the Hub's ABI.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NetworkSource } from './networkSource.ts';

/** The subgraphs of this project. */
export type SubgraphName = 'hub' | 'documents';

/** The folder of this file, with a closing separator. */
export const SUBGRAPH_FOLDER = fileURLToPath(new URL('./', import.meta.url));

/** Every file that goes into a build, from the project's root, sorted. */
export async function sourceFiles(name: SubgraphName): Promise<string[]> {
  const below = async (folder: string): Promise<string[]> =>
    (await readdir(join(SUBGRAPH_FOLDER, folder))).map((file) => `subgraph/${folder}/${file}`);
  const code = [...(await below(`${name}/src`)), ...(await below('address/src'))];
  return [
    'abis/Hub.json',
    `subgraph/${name}/schema.graphql`,
    `subgraph/${name}/subgraph.yaml`,
    ...code,
  ].sort();
}

/** SHA-256 in hex over names and bytes of all sources and the network: equal when a build would be. */
export async function sourcesHash(name: SubgraphName, source: NetworkSource): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(source)).update('\0');
  for (const file of await sourceFiles(name)) {
    const bytes = await readFile(join(SUBGRAPH_FOLDER, '..', file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
