// The Hub's own logs, read from an RPC and from nothing else.

import { type Address, type Hex, numberToHex, type PublicClient } from 'viem';
import type { MinedLog } from '../protocol/recordFromLogs.ts';

/** Whose logs, and from where on. */
export interface LogOrigin {
  readonly hubAddress: Address;
  /** First block that can hold the Hub's logs; default 0. */
  readonly fromBlock?: bigint;
}

const BLOCKS_AT_ONCE = 10_000n;

/** All logs of the Hub with these topics up to a block, read in ranges that public RPCs allow. */
export async function readHubLogs(
  client: PublicClient,
  { hubAddress, fromBlock = 0n }: LogOrigin,
  to: bigint,
  topics: readonly (Hex | readonly Hex[])[],
): Promise<MinedLog[]> {
  const all: MinedLog[] = [];
  for (let from = fromBlock; from <= to; from += BLOCKS_AT_ONCE) {
    const last = from + BLOCKS_AT_ONCE - 1n < to ? from + BLOCKS_AT_ONCE - 1n : to;
    const range = { address: hubAddress, topics, fromBlock: numberToHex(from), toBlock: numberToHex(last) };
    const found = (await client.request({
      method: 'eth_getLogs',
      params: [range as never],
    })) as unknown as RawLog[];
    all.push(...found.map(minedLog));
  }
  return all;
}

interface RawLog extends Omit<MinedLog, 'blockNumber' | 'logIndex'> {
  readonly blockNumber: Hex;
  readonly logIndex: Hex;
}

function minedLog(raw: RawLog): MinedLog {
  return { ...raw, blockNumber: BigInt(raw.blockNumber), logIndex: Number(raw.logIndex) } as MinedLog;
}
