// GET /api/deployment: what a client has to know of this deployment to sign and to prepare, all of it public.

import { getAddress } from 'viem';
import { route } from '../../http/route.ts';
import { APPROVAL_DOMAIN_NAME, APPROVAL_DOMAIN_VERSION } from '../../protocol/approval.ts';
import {
  FRESHNESS_WINDOW_SECONDS,
  freshnessWindowBlocks,
  SIGNING_LAG_BLOCKS,
} from '../../protocol/freshness.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { SERVICE_VERSION } from '../../version.ts';

/** The deployment's parameters. */
export const deployment = route({
  method: 'GET',
  route: '/api/deployment',
  operationId: 'getDeployment',
  tag: 'Deployment',
  summary: 'The parameters of this deployment.',
  path: {},
  query: {},
  invalid: 'invalid_request',
  body: { kind: 'none' },
  limited: false,
  success: {
    200: { description: 'The parameters.', contentType: 'application/json', schema: { type: 'object' } },
  },
  errors: [],
  async handle(_call, { config }) {
    const json = {
      chain_id: config.chainId,
      hub_address: getAddress(config.hubAddress),
      domain: {
        name: APPROVAL_DOMAIN_NAME,
        version: APPROVAL_DOMAIN_VERSION,
        chain_id: config.chainId,
        verifying_contract: getAddress(config.hubAddress),
      },
      audience_hosts: config.publicHosts,
      freshness_window_seconds: FRESHNESS_WINDOW_SECONDS,
      freshness_window_blocks: Number(freshnessWindowBlocks(config.blockTimeSeconds)),
      signing_lag_blocks: Number(SIGNING_LAG_BLOCKS),
      block_time_seconds: config.blockTimeSeconds,
      finality_lag_seconds: config.finalityLagSeconds,
      drand: {
        chain_hash: config.drand.chainHash,
        public_key: config.drand.publicKey,
        genesis: config.drand.genesisSeconds,
        period: config.drand.periodSeconds,
        scheme: config.drand.scheme,
        urls: config.drand.urls,
      },
      limits: {
        document_bytes: LIMITS.documentBytes,
        json_body_bytes: LIMITS.jsonBodyBytes,
        packed_bytes: LIMITS.packedBytes,
        extracted_bytes: LIMITS.extractedBytes,
        upload_url_seconds: config.uploads.urlLifetimeSeconds,
        download_url_seconds: LIMITS.downloadUrlSeconds,
      },
      version: SERVICE_VERSION,
    };
    return { status: 200, json };
  },
});
