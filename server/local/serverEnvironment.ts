// The environment of a server that runs on a local stack: the variables of `config.ts` by name, except the
// ports and hosts, which whoever starts the server chooses. It holds the stack's secrets: it must never be logged.

import type { Mining } from './chain.ts';
import type { DrandChainInfo } from './drandChain.ts';
import { GND_REORG_THRESHOLD_BLOCKS } from './graphNode.ts';
import type { StackSecrets } from './stackSecrets.ts';

/** Seconds between blocks that a server is told of when blocks come with transactions alone: the target chains' value. */
const NOMINAL_BLOCK_SECONDS = 2;

/** Blocks between `latest` and `finalized` on the local chain. */
const FINALITY_BLOCKS = 2;

/** What of a running stack a server is told. */
export interface ServerNeighbours {
  readonly rpcUrl: string;
  readonly ipfsUrl: string;
  readonly databaseUrl: string;
  readonly subgraphUrl: string;
  readonly subgraphDeploymentId: string;
  readonly chainId: number;
  readonly hubAddress: string;
  readonly drand: DrandChainInfo & { readonly url: string };
  readonly reviewer: { readonly url: string; readonly apiKey: string; readonly model: string };
}

/** The variables for `stack`; `overrides` win, and an empty value takes a variable away. */
export function serverEnvironment(
  stack: ServerNeighbours,
  secrets: StackSecrets,
  mining: Mining,
  overrides: Readonly<Record<string, string>>,
): Record<string, string> {
  const blockSeconds =
    mining === 'automine' ? NOMINAL_BLOCK_SECONDS : Math.max(1, Math.round(mining.intervalSeconds));
  const { drand, reviewer } = stack;
  return {
    CHAIN_ID: String(stack.chainId),
    HUB_ADDRESS: stack.hubAddress,
    RPC_URLS: stack.rpcUrl,
    SUBGRAPH_URL: stack.subgraphUrl,
    SUBGRAPH_DEPLOYMENT_ID: stack.subgraphDeploymentId,
    IPFS_API_URL: stack.ipfsUrl,
    DATABASE_URL: stack.databaseUrl,
    BLOCK_TIME_SECONDS: String(blockSeconds),
    FINALITY_LAG_SECONDS: String(blockSeconds * FINALITY_BLOCKS),
    ETHEREUM_REORG_THRESHOLD: String(GND_REORG_THRESHOLD_BLOCKS),
    DELIVERY_PRIVATE_KEY: secrets.deliveryPrivateKey,
    URL_SIGNING_KEY: secrets.urlSigningKey,
    REVIEWER_URL: `${reviewer.url}/v1`,
    REVIEWER_API_KEY: reviewer.apiKey,
    REVIEWER_MODEL: reviewer.model,
    DRAND_CHAIN_HASH: drand.chainHash,
    DRAND_PUBLIC_KEY: drand.publicKey,
    DRAND_GENESIS: String(drand.genesis),
    DRAND_PERIOD: String(drand.period),
    DRAND_SCHEME: drand.scheme,
    DRAND_URLS: drand.url,
    LOG_LEVEL: 'info',
    ...overrides,
  };
}
