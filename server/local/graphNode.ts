/**
 * The local stack's graph-node: `gnd`, the real graph-node in one binary, with both subgraphs of `subgraph/` in it. The
 * query cache is off, because it survives reorgs; a test may switch it on to show just that.
 * gnd listens on 0.0.0.0 and has no flag against it: a local stack is for a machine whose ports others cannot reach.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './freePort.ts';
import type { PartLog } from './partLog.ts';

const SUBGRAPH_FOLDER = fileURLToPath(new URL('../../subgraph/', import.meta.url));
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** `ETHEREUM_REORG_THRESHOLD` of `gnd dev`, which sets it itself: blocks that it can still take back. */
export const GND_REORG_THRESHOLD_BLOCKS = 10;

/** Ports of one gnd; kept over a restart. */
export interface GraphNodePorts {
  readonly http: number;
  readonly indexNode: number;
  readonly admin: number;
  readonly metrics: number;
}

/** What graph-node reads from, and what a test may change. */
export interface GraphNodeOptions {
  readonly databaseUrl: string;
  readonly rpcUrl: string;
  readonly ipfsUrl: string;
  readonly log: PartLog;
  readonly ports?: GraphNodePorts;
  /** Variables of graph-node that override the stack's, as `{GRAPH_CACHED_SUBGRAPH_IDS: '*'}`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder with `hub` and `documents` in it, in which gnd also looks for deployments by their id; default the project's. */
  readonly subgraphFolder?: string | undefined;
  readonly onSpawn: (child: ChildProcess) => void;
}

/** A running graph-node whose subgraphs both answer. */
export interface LocalGraphNode {
  readonly process: ChildProcess;
  readonly ports: GraphNodePorts;
  /** GraphQL of the `hub` subgraph. */
  readonly subgraphUrl: string;
  /** GraphQL of the `documents` subgraph. */
  readonly documentsUrl: string;
  /** `_meta.deployment` of the `hub` subgraph. */
  readonly subgraphDeploymentId: string;
}

/** What `_meta` says of one subgraph's head. */
export interface IndexedHead {
  readonly deployment: string;
  readonly blockNumber: number;
}

/** Starts gnd on the built subgraphs and waits until both have started to sync; throws with its log when it ends. */
export async function startGraphNode(options: GraphNodeOptions): Promise<LocalGraphNode> {
  const ports = options.ports ?? (await choosePorts());
  const child = spawn(gndBinary(), gndArguments(options, ports), {
    cwd: options.subgraphFolder ?? SUBGRAPH_FOLDER,
    env: {
      // In the environment, not in the arguments, which every user of the machine can read.
      POSTGRES_URL: options.databaseUrl,
      GRAPH_CACHED_SUBGRAPH_IDS: 'none',
      // Full-text ranks may differ between nodes; only analysts search, nothing that decides does.
      GRAPH_ALLOW_NON_DETERMINISTIC_FULLTEXT_SEARCH: 'true',
      ETHEREUM_POLLING_INTERVAL: '200',
      // graph-node keeps its chain head for about one measured block time; blocks that come irregularly, as tests mine
      // them, would then stay unindexed until the next one.
      GRAPH_STORE_DISABLE_CHAIN_HEAD_PTR_CACHE: 'true',
      // Not less than the minimum of 5 s that graph-node has built in, or it panics.
      GRAPH_FDS_MAX_BACKOFF: '5',
      GRAPH_IPFS_TIMEOUT: '10',
      GRAPH_LOG: 'warn',
      ...options.environment,
    },
    stdio: ['ignore', options.log.descriptor, options.log.descriptor],
    detached: true,
  });
  options.onSpawn(child);
  const url = (name: string): string => `http://127.0.0.1:${ports.http}/subgraphs/name/${name}`;
  const subgraphUrl = url('subgraph-0');
  const documentsUrl = url('subgraph-1');
  const [hub] = await Promise.all([
    firstHead(subgraphUrl, child, options.log),
    firstHead(documentsUrl, child, options.log),
  ]);
  return { process: child, ports, subgraphUrl, documentsUrl, subgraphDeploymentId: hub.deployment };
}

/** The block up to which a subgraph has indexed; undefined while it has not started or does not answer. */
export async function indexedHead(url: string): Promise<IndexedHead | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ _meta { deployment block { number } } }' }),
      signal: AbortSignal.timeout(5_000),
    });
    const { data } = (await response.json()) as {
      data?: { _meta?: { deployment: string; block: { number: number } } | null } | null;
    };
    if (!data?._meta) return undefined;
    return { deployment: data._meta.deployment, blockNumber: data._meta.block.number };
  } catch {
    return undefined;
  }
}

/** Waits until a subgraph has indexed a block; throws after `timeoutMs` milliseconds. */
export async function untilIndexed(url: string, blockNumber: number, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const head = await indexedHead(url);
    if (head !== undefined && head.blockNumber >= blockNumber) return;
    if (Date.now() > deadline) {
      throw new Error(`${url} has indexed block ${head?.blockNumber ?? 'none'}, not yet ${blockNumber}`);
    }
    await sleep(POLL_MS);
  }
}

async function firstHead(url: string, child: ChildProcess, log: PartLog): Promise<IndexedHead> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const head = await indexedHead(url);
    if (head !== undefined) return head;
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      throw new Error(`graph-node does not answer at ${url}: ${log.tail()}`);
    }
    await sleep(POLL_MS);
  }
}

async function choosePorts(): Promise<GraphNodePorts> {
  const [http, indexNode, admin, metrics] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  return { http, indexNode, admin, metrics };
}

function gndArguments({ rpcUrl, ipfsUrl }: GraphNodeOptions, ports: GraphNodePorts): string[] {
  const flags: [string, string | number][] = [
    ['--manifests', 'hub/subgraph.yaml,documents/subgraph.yaml'],
    ['--ethereum-rpc', `local:${rpcUrl}`],
    ['--ipfs', ipfsUrl],
    ['--http-port', ports.http],
    ['--index-node-port', ports.indexNode],
    ['--admin-port', ports.admin],
    ['--metrics-port', ports.metrics],
  ];
  return ['dev', ...flags.flatMap(([flag, value]) => [flag, String(value)])];
}

/** The binary of this platform's `@graphprotocol/gnd-*` package. */
function gndBinary(): string {
  const name = `@graphprotocol/gnd-${process.platform}-${process.arch}`;
  const binary = process.platform === 'win32' ? 'gnd.exe' : 'gnd';
  try {
    return join(createRequire(import.meta.url).resolve(`${name}/package.json`), '..', 'bin', binary);
  } catch (cause) {
    throw new Error(`graph-node has no binary for this platform: ${name} is not installed`, { cause });
  }
}
