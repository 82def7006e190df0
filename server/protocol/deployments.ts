// The deployments known by name (specification section 4: a mainnet and a staging one; and the local stack).
// The SDK takes Hub and drand chain from here and never from the API. Must never invent an address: what is not
// published is absent, and the caller stops and names the flag.
import type { Address } from 'viem';
import type { DrandNetwork } from './drandNetwork.ts';
import { QUICKNET } from './quicknet.ts';

/** One deployment of the service. */
export interface Deployment {
  readonly name: 'mainnet' | 'staging' | 'local';
  readonly chainId: number;
  readonly blockTimeSeconds: number;
  /** How far finality trails the tip at worst: deadlines less than twice this apart would leave nobody time to act. */
  readonly finalityLagSeconds: number;
  /** Absent while no Hub is published. */
  readonly hubAddress?: Address;
  /** Absent while no base address is published. */
  readonly baseUrl?: string;
  readonly drand: DrandNetwork;
}

/** Every deployment by name: Base, Base Sepolia, and the embedded stack. */
export const DEPLOYMENTS = {
  mainnet: {
    name: 'mainnet',
    chainId: 8453,
    blockTimeSeconds: 2,
    finalityLagSeconds: 1800,
    drand: QUICKNET,
  },
  staging: {
    name: 'staging',
    chainId: 84532,
    blockTimeSeconds: 2,
    finalityLagSeconds: 1800,
    drand: QUICKNET,
  },
  local: {
    name: 'local',
    chainId: 31337,
    blockTimeSeconds: 2,
    finalityLagSeconds: 4,
    // A beacon with a public seed, which the local stack runs itself. It locks nothing of worth.
    drand: {
      chainHash: 'e7b0829d37e217a23ce21b2f9a9b74afe97c4acdef8676231e14cbc37991101d',
      publicKey:
        '99cfeee282a4ae06023b15854597e369d900a01dab7d43dcfb3f84e54ab6a691e35c507708844ad1cf378bc69dca92f8' +
        '183bcd35ef903a6e0024a1859c7d49456890ce77be4e51ca325ee555a50955758438eb03ecb512107c058aba8880f9a8',
      genesisSeconds: 1_700_000_000,
      periodSeconds: 3,
      scheme: 'bls-unchained-g1-rfc9380',
      urls: [],
    },
  },
} as const satisfies Record<string, Deployment>;

/** The deployment on a chain, or undefined when none is known there. */
export function deploymentOfChain(chainId: number): Deployment | undefined {
  return Object.values<Deployment>(DEPLOYMENTS).find((deployment) => deployment.chainId === chainId);
}
