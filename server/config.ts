// The only reader of the environment: every variable with its form, all faults listed at once, the result frozen.

import type { Address } from 'viem';
import { ConfigError, type Environment, EnvironmentReader } from './config/environmentReader.ts';
import {
  bareHttpUrl,
  cidr,
  contractAddress,
  headerToken,
  hex,
  host,
  httpUrl,
  integer,
  KEY_FORM,
  key32,
  list,
  url,
} from './config/forms.ts';

export { ConfigError };

/**
 * Read the configuration.
 *
 * @param environment Variables by name; the process's own unless given
 * @returns Deeply readonly values; times in the unit that the name ends in
 * @throws ConfigError with every fault at once
 */
export function readConfig(environment: Environment = process.env) {
  const read = new EnvironmentReader(environment);
  const config = {
    chainId: read.required('CHAIN_ID', 'a positive integer', integer(1), 0),
    hubAddress: read.required(
      'HUB_ADDRESS',
      'a 20-byte hex address other than zero',
      contractAddress,
      '0x' as Address,
    ),
    rpcUrls: read.required('RPC_URLS', 'http(s) URLs separated by commas', list(httpUrl), []),
    subgraphUrl: read.required('SUBGRAPH_URL', 'the http(s) URL of the hub subgraph', httpUrl, ''),
    // Not secret, but known only once the subgraph is deployed: a job can leave it in a file.
    subgraphDeploymentId: read.secret(
      'SUBGRAPH_DEPLOYMENT_ID',
      'the deployment id that the subgraph answers in _meta.deployment',
      (text) => text,
      '',
    ),
    ipfsApiUrl: read.required('IPFS_API_URL', "the http(s) URL of the IPFS node's RPC", httpUrl, ''),
    databaseUrl: read.secret('DATABASE_URL', 'a postgresql:// URL', url('postgresql:', 'postgres:'), ''),
    publicUrl: read.required('PUBLIC_URL', 'the http(s) URL that clients use', httpUrl, ''),
    publicHosts: read.required('PUBLIC_HOSTS', 'host[:port] names separated by commas', list(host), []),
    docsHost: read.optional('DOCS_HOST', 'a host[:port] name', host, undefined as string | undefined),
    port: read.optional('PORT', 'a port number', integer(1, 65_535), 8080),
    listenAddress: read.optional('LISTEN_ADDRESS', 'an IP address to listen on', (text) => text, '127.0.0.1'),
    metricsPort: read.optional(
      'METRICS_PORT',
      'a port number',
      integer(1, 65_535),
      undefined as number | undefined,
    ),
    drainSeconds: read.optional('DRAIN_SECONDS', 'a whole number of seconds up to 20', integer(0, 20), 0),
    trustedProxies: read.optional(
      'TRUSTED_PROXIES',
      'IP addresses or CIDR ranges separated by commas',
      list(cidr),
      [],
    ),
    blockTimeSeconds: read.optional(
      'BLOCK_TIME_SECONDS',
      'a whole number of seconds from 1',
      integer(1, 600),
      2,
    ),
    finalityLagSeconds: read.optional(
      'FINALITY_LAG_SECONDS',
      'a whole number of seconds',
      integer(0, 86_400),
      1_800,
    ),
    maxIndexLagSeconds: read.optional(
      'MAX_INDEX_LAG_SECONDS',
      'a whole number of seconds from 1',
      integer(1, 3_600),
      30,
    ),
    reorgThresholdBlocks: read.optional(
      'ETHEREUM_REORG_THRESHOLD',
      "graph-node's own value, a number of blocks",
      integer(1, 1_000_000),
      1_800,
    ),
    delivery: {
      privateKey: read.secret('DELIVERY_PRIVATE_KEY', KEY_FORM, key32, new Uint8Array(32)),
      previousKeys: read.secret(
        'DELIVERY_PREVIOUS_KEYS',
        `${KEY_FORM}, separated by commas`,
        list(key32),
        [],
        false,
      ),
    },
    urlSigningKey: read.secret('URL_SIGNING_KEY', KEY_FORM, key32, new Uint8Array(32)),
    reviewer: {
      url: read.optional(
        'REVIEWER_URL',
        'an http(s) URL without credentials, as https://host/v1',
        bareHttpUrl,
        undefined as string | undefined,
      ),
      apiKey: read.secret(
        'REVIEWER_API_KEY',
        'printable ASCII without spaces',
        headerToken,
        undefined as string | undefined,
        false,
      ),
      model: read.optional('REVIEWER_MODEL', 'a text', (text) => text, undefined as string | undefined),
      quotaPerPoster: read.optional('REVIEW_QUOTA', 'an integer from 0', integer(0), 10),
      quotaTotal: read.optional('REVIEW_QUOTA_TOTAL', 'an integer from 0', integer(0), 500),
      timeoutSeconds: read.optional(
        'REVIEWER_TIMEOUT_SECONDS',
        'a whole number of seconds',
        integer(1, 600),
        60,
      ),
    },
    drand: {
      chainHash: read.required('DRAND_CHAIN_HASH', '32 bytes in lower-case hex without 0x', hex(32), ''),
      publicKey: read.required('DRAND_PUBLIC_KEY', 'a 96-byte BLS key in lower-case hex', hex(96), ''),
      genesisSeconds: read.required('DRAND_GENESIS', 'Unix seconds', integer(1), 0),
      periodSeconds: read.required('DRAND_PERIOD', 'a whole number of seconds from 1', integer(1), 0),
      scheme: read.required('DRAND_SCHEME', 'a drand scheme id', (text) => text, ''),
      urls: read.required('DRAND_URLS', 'http(s) URLs separated by commas', list(httpUrl), []),
    },
    rates: {
      perAddressPerMinute: read.optional(
        'RATE_PER_ADDRESS',
        'requests a minute, 0 for none',
        integer(0),
        600,
      ),
      perSignerPerMinute: read.optional('RATE_PER_SIGNER', 'requests a minute, 0 for none', integer(0), 120),
    },
    uploads: {
      unnamedPerSolver: read.optional('UPLOAD_UNNAMED_PER_SOLVER', 'an integer from 1', integer(1), 2),
      unnamedPerAddress: read.optional('UPLOAD_UNNAMED_PER_ADDRESS', 'an integer from 1', integer(1), 20),
      retentionSeconds: read.optional(
        'UPLOAD_RETENTION_SECONDS',
        'a whole number of seconds',
        integer(1),
        86_400,
      ),
      urlLifetimeSeconds: read.optional(
        'UPLOAD_URL_SECONDS',
        'a whole number of seconds',
        integer(1, 86_400),
        900,
      ),
      minimumBytesPerSecond: read.optional('UPLOAD_MINIMUM_RATE', 'bytes a second', integer(1), 16_384),
    },
    logLevel: read.optional(
      'LOG_LEVEL',
      'fatal, error, warn, info, debug, trace or silent',
      (text) => (/^(fatal|error|warn|info|debug|trace|silent)$/.test(text) ? text : undefined),
      'info',
    ),
  };

  const { url: reviewerUrl, apiKey, model } = config.reviewer;
  const reviewerParts = [reviewerUrl, apiKey, model].filter((part) => part !== undefined).length;
  if (reviewerParts !== 0 && reviewerParts !== 3) {
    read.faults.push(
      'REVIEWER_URL, REVIEWER_API_KEY and REVIEWER_MODEL belong together: set all three or none.',
    );
  }
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return deepFreeze(config);
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && !ArrayBuffer.isView(inner)) deepFreeze(inner);
  }
  return Object.freeze(value);
}

/** What {@link readConfig} returns. */
export type Config = ReturnType<typeof readConfig>;
