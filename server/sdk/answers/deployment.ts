// The answer about the deployment: compared with what the client was told, never believed in its place.

import { account, list, type Read, record, text, whole } from './shape.ts';

/** The deployment's parameters. */
export const deploymentAnswer = record({
  chain_id: whole,
  hub_address: account,
  domain: record({ name: text, version: text, chain_id: whole, verifying_contract: account }),
  audience_hosts: list(text),
  freshness_window_seconds: whole,
  freshness_window_blocks: whole,
  signing_lag_blocks: whole,
  block_time_seconds: (value: unknown, path: string) => {
    if (typeof value === 'number' && value > 0) return value;
    return whole(value, path);
  },
  finality_lag_seconds: whole,
  drand: record({
    chain_hash: text,
    public_key: text,
    genesis: whole,
    period: whole,
    scheme: text,
    urls: list(text),
  }),
  limits: record({
    document_bytes: whole,
    json_body_bytes: whole,
    packed_bytes: whole,
    extracted_bytes: whole,
    upload_url_seconds: whole,
    download_url_seconds: whole,
  }),
  version: text,
});

/** The deployment's parameters. */
export type DeploymentAnswer = Read<typeof deploymentAnswer>;
