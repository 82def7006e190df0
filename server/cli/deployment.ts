// Which deployment a command works on: one known by name, or the one that a file describes; base address and RPC by flag,
// by environment, or as the deployment has them, in falling order. Nothing is guessed.

import { readFile } from 'node:fs/promises';
import type { Address } from 'viem';
import { parseAddress } from '../protocol/accountAddress.ts';
import { DEPLOYMENTS, type Deployment, deploymentOfChain } from '../protocol/deployments.ts';
import { type ClientDeployment, clientDeployment } from '../sdk/clientDeployment.ts';
import { UsageError } from './exitCode.ts';
import type { DeploymentOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/** Where a command goes. */
export interface Destination {
  readonly deployment: ClientDeployment;
  readonly baseUrl: string;
  readonly rpcUrl: string;
  /** An IPFS node that the deployment names; only local ones do. */
  readonly ipfsUrl: string | undefined;
  /** drand relays beyond the deployment table's. */
  readonly drandUrls: readonly string[] | undefined;
}

/** What a file of `npm start -- --json` says. */
interface Described {
  readonly api_url?: string;
  readonly rpc_url?: string;
  readonly ipfs_url?: string;
  readonly chain_id?: number;
  readonly hub_address?: string;
  readonly drand?: { readonly url?: string };
}

/** Resolves it. @throws UsageError that names the flag to give */
export async function destinationOf(
  options: DeploymentOptions,
  { environment }: Pick<Terminal, 'environment'>,
): Promise<Destination> {
  const named = (DEPLOYMENTS as Record<string, Deployment>)[options.deployment];
  const file: Described = named === undefined ? await described(options.deployment) : {};
  const known = named ?? deploymentOfChain(file.chain_id ?? 0);
  if (known === undefined)
    throw new UsageError(`${options.deployment} describes no chain that is known here.`);
  const hub = hubOf(options.hub ?? file.hub_address) ?? known.hubAddress;
  if (hub === undefined) throw new UsageError(`No Hub is published for ${known.name}: name it with --hub.`);
  const baseUrl = options.apiBaseUrl ?? environment.ELGORA_API_BASE_URL ?? file.api_url ?? known.baseUrl;
  if (!baseUrl)
    throw new UsageError(`No base address is published for ${known.name}: name it with --api-base-url.`);
  const rpcUrl = options.rpcUrl ?? environment.SERVICE_CLI_RPC_URL ?? file.rpc_url;
  if (!rpcUrl) throw new UsageError('Name your own RPC of the chain with --rpc-url.');
  for (const [flag, url] of [
    ['--api-base-url', baseUrl],
    ['--rpc-url', rpcUrl],
  ] as const)
    if (!URL.canParse(url)) throw new UsageError(`${flag} must be an http(s) URL.`);
  return {
    deployment: clientDeployment(known, hub),
    baseUrl: baseUrl.replace(/\/+$/, ''),
    rpcUrl,
    ipfsUrl: file.ipfs_url,
    drandUrls: file.drand?.url === undefined ? undefined : [file.drand.url],
  };
}

async function described(path: string): Promise<Described> {
  const names = Object.keys(DEPLOYMENTS).join(', ');
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(
      `--deployment must be ${names}, or a file with what \`npm start -- --json\` prints.`,
    );
  });
  try {
    return JSON.parse(text) as Described;
  } catch {
    throw new UsageError(`${path} is no JSON.`);
  }
}

function hubOf(text: string | undefined): Address | undefined {
  if (text === undefined) return undefined;
  const address = parseAddress(text);
  if (address === undefined) throw new UsageError('--hub must be an address.');
  return address;
}
