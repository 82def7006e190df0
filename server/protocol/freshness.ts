// How long an approval stays fresh (specification section 5, freshness block): five minutes, counted in blocks.
// Must never look at a clock: only block numbers are compared.

/** The freshness window on every chain, in seconds (specification section 8). */
export const FRESHNESS_WINDOW_SECONDS = 300;

/** How many blocks behind the tip a client should sign against (specification section 8). */
export const SIGNING_LAG_BLOCKS = 3n;

/** The freshness window in blocks for a block time in seconds: 150 at 2 s. Throws a RangeError unless it is positive. */
export function freshnessWindowBlocks(blockTimeSeconds: number): bigint {
  if (!Number.isFinite(blockTimeSeconds) || blockTimeSeconds <= 0) {
    throw new RangeError('The block time must be a positive number of seconds.');
  }
  return BigInt(Math.floor(FRESHNESS_WINDOW_SECONDS / blockTimeSeconds));
}

/** True when a block is neither in the future of `headNumber` nor more than `windowBlocks` older (section 5, step 2). */
export function isFreshBlock(blockNumber: bigint, headNumber: bigint, windowBlocks: bigint): boolean {
  return blockNumber <= headNumber && headNumber - blockNumber <= windowBlocks;
}
