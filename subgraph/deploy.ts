// `npx tsx subgraph/deploy.ts --node … --ipfs … --query …`: both subgraphs to a graph-node through its admin port, as the
// one-shot job of docker-compose.yml does it. Waits until both have begun to index. Deploying the same sources again
// changes nothing: their id follows from their content.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { networkSource } from './networkSource.ts';
import type { SubgraphName } from './sources.ts';
import { inWorkingCopy } from './workingCopy.ts';

/** Where both go. */
export interface SubgraphDeployment {
  /** A network of `networks.json`. */
  readonly network: string;
  readonly adminUrl: string;
  readonly ipfsUrl: string;
  /** graph-node's GraphQL port, to wait at. */
  readonly queryUrl: string;
  /** Put before the names, as in `bounty/hub`; default `bounty`. */
  readonly prefix?: string;
}

const VERSION_LABEL = 'v0.1.0';
const WAIT_MS = 120_000;
const POLL_MS = 250;

/** Deploys both; returns their deployment ids. @throws Error with graph-cli's words, or when indexing does not begin */
export async function deploySubgraphs(target: SubgraphDeployment): Promise<Record<SubgraphName, string>> {
  const source = await networkSource(target.network);
  const deploy = async (subgraph: SubgraphName): Promise<string> => {
    const { adminUrl, ipfsUrl } = target;
    const name = `${target.prefix ?? 'bounty'}/${subgraph}`;
    const id = await inWorkingCopy(subgraph, source, async (copy) => {
      await copy.generateTypes();
      return copy.deploy({ name, adminUrl, ipfsUrl, versionLabel: VERSION_LABEL });
    });
    await untilIndexing(`${target.queryUrl}/subgraphs/name/${name}`, id);
    return id;
  };
  const hub = await deploy('hub');
  return { hub, documents: await deploy('documents') };
}

async function untilIndexing(url: string, id: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  let last = 'no answer';
  while (Date.now() < deadline) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: '{ _meta { deployment hasIndexingErrors block { number } } }' }),
      });
      last = await response.text();
      const { data } = JSON.parse(last) as {
        data?: { _meta?: { deployment: string; hasIndexingErrors: boolean } };
      };
      if (data?._meta?.hasIndexingErrors) throw new Error(`The subgraph at ${url} fails to index.`);
      if (data?._meta?.deployment === id) return;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('The subgraph')) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`The subgraph at ${url} has not begun to index as ${id}: ${last.slice(0, 300)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { network: text, node: text, ipfs: text, query: text, out: text },
  });
  const { network = 'local', node, ipfs, query, out } = values;
  if (!node || !ipfs || !query) throw new Error('Name --node, --ipfs and --query.');
  const ids = await deploySubgraphs({ network, adminUrl: node, ipfsUrl: ipfs, queryUrl: query });
  for (const [name, id] of Object.entries(ids)) {
    console.log(`${name} ${id}`);
    if (out === undefined) continue;
    await mkdir(out, { recursive: true });
    await writeFile(join(out, name), `${id}\n`);
  }
}
