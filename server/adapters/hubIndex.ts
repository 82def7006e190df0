// The index of Hub events, read at P: the highest block at or below the proven-finalized F that graph-node has reached,
// and only while graph-node is proven to be on the RPC's chain. Authorization takes every fact from here.

import { LRUCache } from 'lru-cache';
import { ServiceError } from '../protocol/errors.ts';
import type { Header } from './chain/rpc.ts';
import { type Chain, pollIntervalMs } from './chain.ts';
import { type GraphqlRequest, graphqlEndpoint, projectionUnavailable } from './hubIndex/graphql.ts';
import { HeadPoll } from './hubIndex/headPoll.ts';
import { type IndexHead, type PinnedQuery, sendPinned } from './hubIndex/pinnedQuery.ts';

/** One consistent point to read at. A request takes one and keeps it. */
export interface Snapshot {
  /** P: every fact of the request is read at this block. */
  readonly pinned: Header;
  /** F at the moment the snapshot was taken. */
  readonly finalized: Header;
  /** The index's head as last polled. */
  readonly indexHead: IndexHead;
}

/** Facts at P with the index's head as the same document saw it. */
export interface Reading<Result> {
  readonly result: Result;
  readonly head: IndexHead;
}

/** What the server asks of the index. */
export interface HubIndex {
  /** The newest point to read at. 503 while there is none. */
  snapshot(): Promise<Snapshot>;
  /** Facts at P alone: answered from memory while P stays. */
  read<Result>(query: PinnedQuery<Result>, variables: Record<string, unknown>, at: Snapshot): Promise<Result>;
  /** Facts at P beside facts at the index's head: answered from memory while both stay. */
  readWithHead<Result>(
    query: PinnedQuery<Result>,
    variables: Record<string, unknown>,
    at: Snapshot,
  ): Promise<Reading<Result>>;
  /** The same, always asked anew: for an answer that rests on something being absent at the head. */
  readFresh<Result>(
    query: PinnedQuery<Result>,
    variables: Record<string, unknown>,
    at: Snapshot,
  ): Promise<Reading<Result>>;
  /** The index's head a moment ago, undefined while it is not known. */
  readonly reached: () => number | undefined;
  /** How many documents were sent to graph-node. */
  readonly sent: () => number;
  stop(): void;
}

/** What {@link startHubIndex} needs. */
export interface HubIndexOptions {
  readonly url: string;
  readonly deploymentId: string;
  readonly chain: Chain;
  readonly blockTimeSeconds: number;
  readonly maxIndexLagSeconds: number;
  readonly reorgThresholdBlocks: number;
}

const CACHE_BYTES = 32 * 1024 * 1024;
const RETRY_MS = 50;

/** Start polling the index's head and serve pinned reads. Never rejects: what is wrong is told by `snapshot()`. */
export async function startHubIndex(options: HubIndexOptions): Promise<HubIndex> {
  const { chain, deploymentId, blockTimeSeconds } = options;
  let sent = 0;
  const endpoint = graphqlEndpoint(options.url);
  const request: GraphqlRequest = (text, variables) => {
    sent += 1;
    return endpoint(text, variables);
  };
  const poll = new HeadPoll(endpoint, deploymentId, pollIntervalMs(blockTimeSeconds));
  await poll.start();

  const cache = new LRUCache<string, { reading: Reading<unknown> }>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ reading }, key) => JSON.stringify(reading).length + key.length,
  });
  const underWay = new Map<string, Promise<Reading<unknown>>>();

  const ask = async <Result>(
    query: PinnedQuery<Result>,
    variables: Record<string, unknown>,
    { pinned }: Snapshot,
  ): Promise<Reading<Result>> => {
    const first = await sendPinned(request, deploymentId, query, variables, pinned);
    if (await isCanonical(first.head, chain, blockTimeSeconds)) return first;
    // The head may have been replaced between the two answers: read both once more before calling it a fork.
    const second = await sendPinned(request, deploymentId, query, variables, pinned);
    if (await isCanonical(second.head, chain, blockTimeSeconds)) return second;
    throw projectionUnavailable("The index of Hub events is not on the RPC's chain.", undefined);
  };

  const remembered = async <Result>(
    base: string,
    query: PinnedQuery<Result>,
    variables: Record<string, unknown>,
    at: Snapshot,
  ): Promise<Reading<Result>> => {
    const key = `${base} ${query.name} ${JSON.stringify(variables)}`;
    const held = cache.get(key);
    if (held) return held.reading as Reading<Result>;
    const started = underWay.get(key);
    if (started) return started as Promise<Reading<Result>>;
    const work = ask(query, variables, at)
      .then((reading) => {
        cache.set(key, { reading });
        return reading;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, work);
    return work;
  };

  return {
    async snapshot() {
      const finalized = chain.finalized();
      const indexHead = poll.head();
      const pinned =
        indexHead.number >= finalized.number ? finalized : await chain.headerAt(indexHead.number);
      if (chain.trailSeconds(pinned) > options.maxIndexLagSeconds) {
        throw new ServiceError('bounty_chain_state_unavailable', {
          message: `The index of Hub events is more than ${options.maxIndexLagSeconds} s behind the finalized block.`,
          retryAfterSeconds: options.maxIndexLagSeconds,
        });
      }
      // Parent links prove F only as far below the head as graph-node still follows reorgs.
      if (chain.finalityLagBlocks() >= options.reorgThresholdBlocks) {
        throw new ServiceError('bounty_chain_state_unavailable', {
          message: 'Finality trails the head by more blocks than the index can follow a reorg.',
          retryAfterSeconds: options.maxIndexLagSeconds,
        });
      }
      return { pinned, finalized, indexHead };
    },
    read: async (query, variables, at) =>
      (await remembered(`P ${at.pinned.hash}`, query, variables, at)).result,
    readWithHead: (query, variables, at) =>
      remembered(`P ${at.pinned.hash} H ${at.indexHead.hash}`, query, variables, at),
    readFresh: ask,
    reached: () => poll.last?.number,
    sent: () => sent,
    stop: () => poll.stop(),
  };
}

/** Whether the RPC's canonical chain has the index's head; waits up to one block time for an RPC that is behind. */
async function isCanonical(head: IndexHead, chain: Chain, blockTimeSeconds: number): Promise<boolean> {
  const deadline = performance.now() + blockTimeSeconds * 1_000;
  while (head.number > chain.head().number) {
    await chain.refresh();
    if (head.number <= chain.head().number) break;
    if (performance.now() >= deadline) {
      throw new ServiceError('bounty_chain_state_unavailable', {
        message: "The chain's RPC is behind the index of Hub events.",
        retryAfterSeconds: blockTimeSeconds,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  if ((await chain.hashAt(head.number)) === head.hash) return true;
  await chain.refresh();
  return (await chain.hashAt(head.number)) === head.hash;
}
