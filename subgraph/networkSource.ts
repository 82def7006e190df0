// Which Hub a build listens to: `networks.json`. A network whose Hub nobody has filled in must fail here, loudly: an
// index of a wrong address would say for ever that there are no bounties.

import { readFile } from 'node:fs/promises';
import { getAddress, isAddress, zeroAddress } from 'viem';

/** The network of the committed manifests. */
export const LOCAL_NETWORK = 'local';

/** One network's Hub. */
export interface NetworkSource {
  /** graph-node's name of the network, as in `base`. */
  readonly network: string;
  /** The Hub, in EIP-55 case. */
  readonly address: string;
  /** Number of the block to index from: that of the Hub's creation. */
  readonly startBlock: number;
}

/**
 * The Hub of a network, from the text of `networks.json` (default: the file beside this one).
 *
 * @throws Error when the network is unknown, the address is not filled in, or the start block is no block number
 */
export async function networkSource(network: string, json?: string): Promise<NetworkSource> {
  const text = json ?? (await readFile(new URL('./networks.json', import.meta.url), 'utf8'));
  const networks = JSON.parse(text) as Record<string, { Hub?: { address?: unknown; startBlock?: unknown } }>;
  if (!Object.hasOwn(networks, network)) {
    throw new Error(
      `subgraph/networks.json has no network ${network}: it has ${Object.keys(networks).join(', ')}`,
    );
  }
  const { address, startBlock } = networks[network]?.Hub ?? {};
  if (typeof address !== 'string' || !isAddress(address) || getAddress(address) === zeroAddress) {
    throw new Error(
      `subgraph/networks.json has no Hub for ${network}: fill in its address and its first block`,
    );
  }
  if (!Number.isSafeInteger(startBlock) || (startBlock as number) < 0) {
    throw new Error(`subgraph/networks.json needs a block number as startBlock of ${network}`);
  }
  return { network, address: getAddress(address), startBlock: startBlock as number };
}
