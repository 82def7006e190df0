/**
 * The embedded stack: a real EVM chain, PostgreSQL, graph-node, an IPFS node, a drand beacon and a reviewer, with the
 * Hub deployed and indexed, in one call. Parts start beside each other wherever one does
 * not need another's answer. Whatever happens to the launcher, nothing of the stack survives it (see `reaper.ts`).
 */
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from 'viem';
import { LOCAL_CHAIN_ID, type Mining } from './chain.ts';
import type { DrandChainInfo } from './drandChain.ts';
import { untilIndexed } from './graphNode.ts';
import { type LocalAccounts, localAccounts } from './localAccounts.ts';
import { type Crash, type Reaper, startReaper } from './reaper.ts';
import { LOCAL_REVIEWER_MODEL } from './reviewer.ts';
import { serverEnvironment } from './serverEnvironment.ts';
import { type StackParts, startParts } from './stackParts.ts';
import { stackSecrets } from './stackSecrets.ts';

/** How a stack runs. */
export interface StackOptions {
  /** Default `automine`. */
  readonly mining?: Mining;
  /** A folder that lasts, so that a later start goes on where this one ended; default a temporary one. */
  readonly dataDir?: string;
  /** Hears one line for each step of the start. */
  readonly progress?: (line: string) => void;
  /** Aborting ends a start that is under way: it throws once everything is gone again. */
  readonly signal?: AbortSignal;
  /** Variables of graph-node over the stack's own, as `{GRAPH_CACHED_SUBGRAPH_IDS: '*'}`. */
  readonly graphNodeEnvironment?: Readonly<Record<string, string>>;
  /** Where graph-node finds its subgraphs; default the project's own folder. */
  readonly subgraphFolder?: string;
}

/** A running stack; keys that go to clients are in the wire's form. */
export interface LocalStack {
  readonly rpcUrl: string;
  readonly ipfsUrl: string;
  /** The service's database under the service's role; carries a password. */
  readonly databaseUrl: string;
  readonly subgraphUrl: string;
  readonly documentsUrl: string;
  readonly subgraphDeploymentId: string;
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly tokenAddress: Address;
  readonly drand: DrandChainInfo & { readonly url: string };
  readonly reviewer: { readonly url: string; readonly apiKey: string; readonly model: string };
  readonly accounts: LocalAccounts;
  /** Milliseconds from the call of {@link startStack} until each part was ready. */
  readonly readyAfterMs: Readonly<Record<string, number>>;
  /** The variables of `config.ts` for a server on this stack, all but its ports and hosts. */
  serverEnvironment(overrides?: Readonly<Record<string, string>>): Record<string, string>;
  /** Handles that stop, kill, hold and restart single parts. */
  readonly parts: StackParts;
  /** For further processes on this stack, as the API server: they end with it, and their own end is a crash. */
  readonly watch: Pick<Reaper, 'adopt' | 'end'>;
  /** Resolves when a part ends although nobody asked it to; the caller should stop the stack then. */
  readonly crashed: Promise<Crash>;
  /** Ends every part and removes a temporary folder; may be called any number of times. */
  stop(): Promise<void>;
}

/** Starts a whole stack; when a part fails to start, everything is ended again and the failure thrown. */
export async function startStack(options: StackOptions = {}): Promise<LocalStack> {
  const began = performance.now();
  const mining = options.mining ?? 'automine';
  const { dataDir, ephemeral } = makeDataDir(options.dataDir);
  const reaper = startReaper(ephemeral ? dataDir : undefined);
  const readyAfterMs: Record<string, number> = {};
  const ready = (part: string): void => {
    const milliseconds = Math.round(performance.now() - began);
    readyAfterMs[part] = milliseconds;
    options.progress?.(`${part} ready after ${(milliseconds / 1000).toFixed(1)} s`);
  };

  const unlessEnded = <T>(work: Promise<T>): Promise<T> =>
    Promise.race([work, rejectedByCrash(reaper.crashed), rejectedByAbort(options.signal)]);

  try {
    const secrets = stackSecrets(dataDir);
    const accounts = localAccounts(secrets.guardianKeys);
    const { graphNodeEnvironment: environment = {}, subgraphFolder } = options;
    const begun = startParts({
      ...{ dataDir, ephemeral, mining, secrets, accounts, reaper, ready },
      environment,
      subgraphFolder,
    });
    const { contracts, ...parts } = await unlessEnded(begun);
    const { graphNode, chain, ipfs, postgres, drand, reviewer } = parts;
    const { subgraphUrl, documentsUrl, subgraphDeploymentId } = graphNode.current;
    const indexed = [subgraphUrl, documentsUrl].map((url) => untilIndexed(url, contracts.blockNumber));
    await unlessEnded(Promise.all(indexed));
    ready('index');

    const stack: LocalStack = {
      rpcUrl: chain.current.rpcUrl,
      ipfsUrl: ipfs.current.url,
      databaseUrl: postgres.current.serviceUrl,
      subgraphUrl,
      documentsUrl,
      subgraphDeploymentId,
      chainId: LOCAL_CHAIN_ID,
      hubAddress: contracts.hubAddress,
      tokenAddress: contracts.tokenAddress,
      drand: { ...drand.current.info, url: drand.current.url },
      reviewer: { url: reviewer.current.url, apiKey: secrets.reviewerApiKey, model: LOCAL_REVIEWER_MODEL },
      accounts,
      readyAfterMs,
      serverEnvironment: (overrides = {}) => serverEnvironment(stack, secrets, mining, overrides),
      parts,
      watch: reaper,
      crashed: reaper.crashed,
      stop: reaper.endAll,
    };
    return stack;
  } catch (error) {
    await reaper.endAll();
    throw error;
  }
}

function makeDataDir(lasting: string | undefined): { dataDir: string; ephemeral: boolean } {
  const ephemeral = lasting === undefined;
  const dataDir = ephemeral ? mkdtempSync(join(tmpdir(), 'bounty-stack-')) : resolve(lasting);
  mkdirSync(dataDir, { recursive: true });
  // PostgreSQL runs as another user when we are root, and has to pass through; nobody may list or read.
  chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  return { dataDir, ephemeral };
}

async function rejectedByCrash(crashed: Promise<Crash>): Promise<never> {
  const { part, how } = await crashed;
  // The part's own starter knows more of why it ended: it gets a moment to say so.
  await sleep(200);
  throw new Error(`${part} ended while the stack started (${how})`);
}

async function rejectedByAbort(signal: AbortSignal | undefined): Promise<never> {
  if (signal === undefined) return new Promise(() => {});
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  throw new Error('The start was given up');
}
