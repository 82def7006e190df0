// Steps 1 and 2 of the verification: the claimed block is canonical, not in the future, not older than the window.
// The block stands in for a nonce; nothing is stored. Most requests are decided without a call.

import type { Hex } from 'viem';
import type { Chain } from '../adapters/chain.ts';
import { ServiceError } from '../protocol/errors.ts';

/** How far above our head a number may be for it to be worth looking once more. */
const AHEAD_BLOCKS = 32n;

/**
 * Check a claimed block.
 *
 * @param windowBlocks 150 on both supported chains
 * @throws ServiceError 401 when the block is stale, in the future or not canonical; 503 when the chain cannot be asked
 */
export async function checkFreshness(
  chain: Pick<Chain, 'head' | 'refresh' | 'hashAt'>,
  block: { readonly blockNumber: bigint; readonly blockHash: Hex },
  windowBlocks: bigint,
): Promise<void> {
  const { blockNumber, blockHash } = block;
  const head = (): bigint => BigInt(chain.head().number);
  if (blockNumber > head() && blockNumber <= head() + AHEAD_BLOCKS) await chain.refresh();
  if (blockNumber > head()) throw stale('The approval names a block that the chain does not have yet.');
  if (blockNumber < head() - windowBlocks)
    throw stale('The approval names a block older than the freshness window.');
  const number = Number(blockNumber);
  if ((await chain.hashAt(number)) === blockHash) return;
  // Our view may be a reorg behind the client's: follow the chain once before refusing.
  await chain.refresh();
  if ((await chain.hashAt(number)) !== blockHash)
    throw stale('The approval names a block hash that is not canonical.');
}

function stale(message: string): ServiceError {
  return new ServiceError('unauthorized', { message });
}
