// Time and finality of a local chain in the hands of a test: blocks, the chain's clock, and waiting until the index, or
// a server on it, has caught up with what happened.

import { setTimeout as sleep } from 'node:timers/promises';
import { untilIndexed } from '../../server/local/graphNode.ts';
import { localRpc } from '../../server/local/localRpc.ts';
import type { LocalStack } from '../../server/local/stack.ts';

/** `finalized` of a local chain is this many blocks behind `latest`. */
export const FINALITY_BLOCKS = 2;

const SERVED_TIMEOUT_MS = 20_000;

/** The clock of one stack's chain; times are Unix seconds. */
export interface Clock {
  /** Timestamp of the latest block: what every deadline is compared with. */
  now(): Promise<number>;
  /** Number of the latest block. */
  blockNumber(): Promise<number>;
  /** Mines this many empty blocks; default one. */
  mine(blocks?: number): Promise<void>;
  /** Mines one block of exactly this timestamp; throws when the chain is there already. */
  warpTo(timestamp: number): Promise<void>;
  /** Waits until the hub subgraph has indexed the latest block; returns its number. */
  indexed(): Promise<number>;
  /** Waits until the API at `apiUrl` has seen the latest block indexed; returns its number. */
  seenBy(apiUrl: string): Promise<number>;
  /** Makes all that happened so far final and waits until it is indexed; returns the finalized block's number. */
  finalize(): Promise<number>;
  /** The same, and waits until the API at `apiUrl` answers from that block or a later one. */
  finalizeFor(apiUrl: string): Promise<number>;
}

/** The clock of a stack. */
export function clockOf(stack: LocalStack): Clock {
  const { call, latestTimestamp } = localRpc(stack.rpcUrl);
  const blockNumber = async (): Promise<number> => Number(await call('eth_blockNumber', []));
  const mine = async (blocks = 1): Promise<void> =>
    void (await call('anvil_mine', [`0x${blocks.toString(16)}`]));

  const indexed = async (): Promise<number> => {
    const head = await blockNumber();
    // Only what decides: the documents may lag behind as they please.
    await untilIndexed(stack.subgraphUrl, head);
    return head;
  };
  const finalize = async (): Promise<number> => {
    await mine(FINALITY_BLOCKS);
    return (await indexed()) - FINALITY_BLOCKS;
  };
  return {
    now: latestTimestamp,
    blockNumber,
    mine,
    warpTo: async (timestamp) => {
      await call('evm_setNextBlockTimestamp', [timestamp]);
      await mine();
    },
    indexed,
    seenBy: async (apiUrl) => {
      const head = await indexed();
      await untilSeen(apiUrl, head);
      return head;
    },
    finalize,
    finalizeFor: async (apiUrl) => {
      const block = await finalize();
      await untilServed(apiUrl, block);
      return block;
    },
  };
}

/** Waits until an API has seen chain and index reach a block (`/readyz`). */
async function untilSeen(apiUrl: string, blockNumber: number): Promise<void> {
  const deadline = Date.now() + SERVED_TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`${apiUrl}/readyz`);
    const { checks } = (await response.json()) as {
      checks: { chain: { head_block?: number }; index: { index_head_block?: number } };
    };
    const seen = Math.min(checks.chain.head_block ?? -1, checks.index.index_head_block ?? -1);
    if (seen >= blockNumber) return;
    if (Date.now() > deadline)
      throw new Error(`The API does not see block ${blockNumber}: ${JSON.stringify(checks)}`);
    await sleep(50);
  }
}

/** Waits until the bounty list of an API answers from `blockNumber` or later (`as_of`). */
export async function untilServed(apiUrl: string, blockNumber: number): Promise<void> {
  const deadline = Date.now() + SERVED_TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`${apiUrl}/api/bounties?limit=1`);
    const body = (await response.json()) as { as_of?: { block_number: number } };
    if (body.as_of !== undefined && body.as_of.block_number >= blockNumber) return;
    if (Date.now() > deadline) {
      throw new Error(
        `The API does not answer from block ${blockNumber}: ${JSON.stringify(body).slice(0, 500)}`,
      );
    }
    await sleep(50);
  }
}
