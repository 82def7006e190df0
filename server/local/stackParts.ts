/**
 * The parts of a stack and the order in which they come up: everything at once, except that the Hub needs the chain, and
 * graph-node needs the chain, PostgreSQL, the IPFS node and the built subgraphs.
 */
import { join } from 'node:path';
import { buildSubgraphs } from '../../subgraph/build.ts';
import { type LocalChain, type Mining, startChain } from './chain.ts';
import { type LocalDrandBeacon, startDrandBeacon } from './drandBeacon.ts';
import { type LocalGraphNode, startGraphNode } from './graphNode.ts';
import { deployHub, type LocalContracts } from './hub.ts';
import { type LocalIpfsNode, startIpfsNode } from './ipfsNode/startIpfsNode.ts';
import type { LocalAccounts } from './localAccounts.ts';
import { type LocalRpc, localRpc } from './localRpc.ts';
import type { LoopbackServer } from './loopbackServer.ts';
import { type ProcessPart, processPart, type ServerPart, serverPart } from './part.ts';
import { openPartLog } from './partLog.ts';
import { type LocalPostgres, startPostgres } from './postgres.ts';
import type { Reaper } from './reaper.ts';
import { startReviewer } from './reviewer.ts';
import type { StackSecrets } from './stackSecrets.ts';

/** Every part of a running stack. */
export interface StackParts {
  /** A temporary chain's blocks are gone with its process: a restarted one begins anew. */
  readonly chain: ProcessPart<LocalChain>;
  readonly postgres: ProcessPart<LocalPostgres>;
  readonly graphNode: ProcessPart<LocalGraphNode>;
  readonly ipfs: ServerPart<LocalIpfsNode>;
  readonly drand: ServerPart<LocalDrandBeacon>;
  readonly reviewer: ServerPart<LoopbackServer>;
}

/** What the parts share. */
export interface PartsOptions {
  readonly dataDir: string;
  readonly ephemeral: boolean;
  readonly mining: Mining;
  readonly secrets: StackSecrets;
  readonly accounts: LocalAccounts;
  readonly reaper: Reaper;
  readonly ready: (part: string) => void;
  /** For graph-node. */
  readonly environment: Readonly<Record<string, string>>;
  readonly subgraphFolder: string | undefined;
}

/** Starts every part and deploys the contracts; a failure leaves the ending to the caller's reaper. */
export async function startParts(
  options: PartsOptions,
): Promise<StackParts & { readonly contracts: LocalContracts }> {
  const { dataDir, secrets, reaper } = options;
  const told = <T>(part: string, work: Promise<T>): Promise<T> =>
    work.then((value) => {
      options.ready(part);
      return value;
    });

  const built = told('subgraphs', buildSubgraphs());
  const postgresPart = told('postgres', startPostgresPart(options));
  const chainPart = told('chain', startChainPart(options));
  const ipfsPart = told(
    'ipfs',
    serverPart(reaper, (port) => startIpfsNode({ dataDir: join(dataDir, 'ipfs'), ...(port && { port }) })),
  );
  const reviewerPart = told(
    'reviewer',
    serverPart(reaper, (port) => startReviewer(secrets.reviewerApiKey, port)),
  );
  const hub = chainPart.then(async ({ current: { rpcUrl } }) => {
    const contracts = await told('hub', deployHub(rpcUrl, options.accounts));
    await mineAsAsked(localRpc(rpcUrl), options.mining);
    return contracts;
  });
  const drandPart = chainPart.then(({ current: { rpcUrl } }) => {
    const { latestTimestamp } = localRpc(rpcUrl);
    return told(
      'drand',
      serverPart(reaper, (port) => startDrandBeacon(latestTimestamp, undefined, port)),
    );
  });
  const graphNodePart = Promise.all([postgresPart, chainPart, ipfsPart, built]).then(
    ([postgres, chain, ipfs]) => {
      const urls = {
        databaseUrl: postgres.current.graphNodeUrl,
        rpcUrl: chain.current.rpcUrl,
        ipfsUrl: ipfs.current.url,
      };
      return told('graph-node', startGraphNodePart(options, urls));
    },
  );

  const [postgres, chain, ipfs, reviewer, drand, graphNode, contracts] = await Promise.all([
    postgresPart,
    chainPart,
    ipfsPart,
    reviewerPart,
    drandPart,
    graphNodePart,
    hub,
  ]);
  return { chain, postgres, graphNode, ipfs, drand, reviewer, contracts };
}

function startPostgresPart({
  dataDir,
  ephemeral,
  secrets,
  reaper,
}: PartsOptions): Promise<ProcessPart<LocalPostgres>> {
  const log = openPartLog(dataDir, 'postgres');
  return processPart(reaper, (previous) =>
    startPostgres({
      dataDir: join(dataDir, 'postgres'),
      ephemeral,
      passwords: secrets.databasePasswords,
      log,
      keepIndex: previous !== undefined,
      ...(previous && { port: previous.port }),
      // Immediate shutdown where nobody will read the cluster again: shared memory is still given back.
      onSpawn: (child, program) =>
        program === 'initdb'
          ? reaper.adopt(program, child, { mayEnd: true })
          : reaper.adopt(program, child, { signal: ephemeral ? 'SIGQUIT' : 'SIGINT', group: true }),
    }),
  );
}

function startChainPart({ dataDir, ephemeral, reaper }: PartsOptions): Promise<ProcessPart<LocalChain>> {
  return processPart(reaper, (previous) =>
    startChain({
      mining: 'automine',
      ...(previous && { port: previous.port }),
      ...(!ephemeral && { statePath: join(dataDir, 'chain.json') }),
      onSpawn: (child) => reaper.adopt('chain', child, { signal: 'SIGTERM' }),
    }),
  );
}

function startGraphNodePart(
  { dataDir, reaper, environment, subgraphFolder }: PartsOptions,
  urls: { databaseUrl: string; rpcUrl: string; ipfsUrl: string },
): Promise<ProcessPart<LocalGraphNode>> {
  const log = openPartLog(dataDir, 'graph-node');
  return processPart(reaper, (previous) =>
    startGraphNode({
      ...urls,
      log,
      environment,
      subgraphFolder,
      ...(previous && { ports: previous.ports }),
      onSpawn: (child) => reaper.adopt('graph-node', child, { signal: 'SIGINT', group: true }),
    }),
  );
}

/** The contracts go up one block for each transaction; only then does the clock take over. */
async function mineAsAsked(rpc: LocalRpc, mining: Mining): Promise<void> {
  if (mining === 'automine') return;
  await rpc.call('evm_setAutomine', [false]);
  await rpc.call('evm_setIntervalMining', [mining.intervalSeconds]);
}
