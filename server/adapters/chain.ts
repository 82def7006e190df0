// The chain: canonical headers, the proven-finalized block and calls, over the deployment's own RPCs.
// It says what is canonical and what is final; it never asks anybody else, and never a client.

import type { Address, Hex } from 'viem';
import { ServiceError } from '../protocol/errors.ts';
import { type FinalityEvents, FinalityTracker, type FinalizedBlockStore } from './chain/finality.ts';
import { HeaderRing } from './chain/headerRing.ts';
import { type BlockSelector, type Header, type RpcEndpoint, RpcPool, RpcUnavailable } from './chain/rpc.ts';
import { lowestFinalized, witnessesAgree } from './chain/witnesses.ts';

/** What the server asks of the chain. */
export interface Chain {
  /** The latest canonical header; 503 `bounty_chain_state_unavailable` while the RPC is silent. */
  head(): Header;
  /** The proven-finalized header F; 503 while there is none, while the RPC is silent, for ever once latched. */
  finalized(): Header;
  /** Follow the chain to its head now; concurrent callers share one walk. 503 when the RPC fails. */
  refresh(): Promise<void>;
  /** The canonical hash at a number, null when the chain has no such block. 503 when the RPC fails. */
  hashAt(number: number): Promise<Hex | null>;
  /** The canonical header at a number. 503 when the RPC fails or has none. */
  headerAt(number: number): Promise<Header>;
  /** Ask the first RPC that answers; rejects with an RpcRequestError for a refusal of the chain. 503 otherwise. */
  ask<T>(question: (endpoint: RpcEndpoint) => Promise<T>): Promise<T>;
  /** How many seconds a reader pinned at this header trails F. */
  trailSeconds(pinned: Header): number;
  /** By how many blocks F trailed the head when both were last polled. */
  finalityLagBlocks(): number;
  /** What `/readyz` says of it. */
  report(): ChainReport;
  stop(): void;
}

/** The chain's condition, for `/readyz` and `/metrics`. */
export interface ChainReport {
  readonly ok: boolean;
  readonly reason?: string;
  readonly head?: Header;
  readonly finalized?: Header;
  readonly silenceSeconds: number;
}

/** What {@link startChainFollower} needs. */
export interface ChainOptions {
  readonly rpcUrls: readonly string[];
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly blockTimeSeconds: number;
  /** Blocks of the freshness window; the ring holds a few more. */
  readonly freshnessWindowBlocks: number;
  readonly acceptFinalityReset: boolean;
  readonly store: FinalizedBlockStore;
  readonly events: FinalityEvents & { pollFailed(error: unknown): void; disagreement(): void };
}

const RING_SPARE_BLOCKS = 10;
const SILENCE_LIMIT_MS = 10_000;
const nowMs = (): number => performance.now();

const unavailable = (message: string, retryAfterSeconds: number, cause?: unknown): ServiceError =>
  new ServiceError('bounty_chain_state_unavailable', { message, retryAfterSeconds, cause });

/**
 * Check that the RPC is the deployment's chain and holds the Hub, read the finalized block, fill the ring, then poll.
 *
 * @throws Error with one line that says what is wrong with the deployment; FinalityViolated
 */
export async function startChainFollower(options: ChainOptions): Promise<Chain> {
  const pool = new RpcPool(options.rpcUrls);
  await checkDeployment(pool, options);
  const read = (block: BlockSelector): Promise<Header | null> =>
    block === 'finalized' ? lowestFinalized(pool) : pool.header(block);
  const ring = new HeaderRing(read, options.freshnessWindowBlocks + RING_SPARE_BLOCKS, nowMs);
  const finality = new FinalityTracker(read, options.store, options.events, nowMs);
  await finality.start(options.acceptFinalityReset);
  await ring.refresh();

  let finalityLagBlocks = 0;
  let agreed = true;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const poll = async (): Promise<void> => {
    try {
      // The head first: a burst of blocks between the two answers must not look like finality that stands still.
      await ring.refresh();
      const head = ring.head;
      if (head) {
        const agree = await witnessesAgree(pool, head, (number) => ring.at(number));
        if (agreed && !agree) options.events.disagreement();
        agreed = agree;
      }
      await finality.poll();
      if (head && finality.current) finalityLagBlocks = head.number - finality.current.number;
    } catch (error) {
      options.events.pollFailed(error);
    }
    if (!stopped) timer = setTimeout(poll, pollIntervalMs(options.blockTimeSeconds));
  };
  void poll();

  const retrySeconds = Math.max(1, options.blockTimeSeconds);
  const guard = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof RpcUnavailable)) throw error;
      throw unavailable("The chain's RPC does not answer.", retrySeconds, error);
    }
  };
  const headNow = (): Header => {
    if (!agreed) throw unavailable('The RPCs of the chain disagree: none is believed.', 10 * retrySeconds);
    if (ring.head && ring.silenceMs < SILENCE_LIMIT_MS) return ring.head;
    throw unavailable("The chain's RPC does not answer.", retrySeconds);
  };

  return {
    head: headNow,
    finalized() {
      if (finality.latched)
        throw unavailable('The chain broke its own finality: an operator has to look.', 300);
      headNow();
      if (finality.current) return finality.current;
      throw unavailable('The chain has no finalized block yet.', retrySeconds);
    },
    refresh: () => guard(ring.refresh()),
    hashAt: (number) => guard(ring.hashAt(number)),
    async headerAt(number) {
      const header = ring.at(number) ?? (await guard(pool.header(number)));
      if (header) return header;
      throw unavailable("The chain's RPC is behind.", retrySeconds);
    },
    ask: (question) => guard(pool.ask(question)),
    finalityLagBlocks: () => finalityLagBlocks,
    trailSeconds: (pinned) => finality.trailSeconds(pinned),
    report() {
      const silent = ring.silenceMs >= SILENCE_LIMIT_MS;
      const disagreement = agreed ? undefined : 'The RPCs disagree on a settled block.';
      const reason = finality.latched ?? disagreement ?? (silent ? 'The RPC does not answer.' : undefined);
      return {
        ok: reason === undefined && finality.current !== undefined,
        ...(reason === undefined ? {} : { reason }),
        ...(ring.head ? { head: ring.head } : {}),
        ...(finality.current ? { finalized: finality.current } : {}),
        silenceSeconds: ring.silenceMs / 1000,
      };
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Often enough to see each block within a quarter of its time, seldom enough for a hosted RPC. */
export function pollIntervalMs(blockTimeSeconds: number): number {
  return Math.min(1_000, (blockTimeSeconds * 1_000) / 4);
}

async function checkDeployment(pool: RpcPool, { chainId, hubAddress }: ChainOptions): Promise<void> {
  for (const endpoint of pool.endpoints) {
    const [id, code] = await Promise.all([
      endpoint.request('eth_chainId', []),
      endpoint.request('eth_getCode', [hubAddress, 'latest']),
    ]).catch((error: unknown) => {
      throw new Error('RPC_URLS: an RPC does not answer.', { cause: error });
    });
    if (Number(id) !== chainId)
      throw new Error(`CHAIN_ID is ${chainId}, but an RPC serves chain ${Number(id)}.`);
    if (code === '0x') throw new Error(`HUB_ADDRESS ${hubAddress} has no code on chain ${chainId}.`);
  }
}
