// Which deployment a command works on: one known by name, or the one that a file describes; base address and RPC by flag,
// by environment, or as the deployment has them, in falling order. Nothing is guessed.

import { readFile } from 'node:fs/promises';
import type { Address } from 'viem';
import { parseAddress } from '../protocol/accountAddress.ts';
import { DEPLOYMENTS, type Deployment, deploymentOfChain } from '../protocol/deployments.ts';
import { type ClientDeployment, clientDeployment } from '../sdk/clientDeployment.ts';
import type { Environment } from './environment.ts';
import { UsageError } from './exitCode.ts';
import type { DeploymentOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

/** The chain that a command works on. */
export interface ChainDestination {
  readonly deployment: ClientDeployment;
  readonly rpcUrl: string;
  /** An IPFS node that the deployment names; only local ones do. */
  readonly ipfsUrl: string | undefined;
  /** drand relays beyond the deployment table's. */
  readonly drandUrls: readonly string[] | undefined;
}

/** Where a command goes that asks the service too. */
export interface Destination extends ChainDestination {
  readonly baseUrl: string;
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

/** Chain and service. @throws UsageError that names the flag to give */
export async function destinationOf(
  options: DeploymentOptions,
  { environment }: Pick<Terminal, 'environment'>,
): Promise<Destination> {
  const { known, file, hub } = await foundDeployment(options);
  const baseUrl = options.apiBaseUrl ?? environment.ELGORA_API_BASE_URL ?? file.api_url ?? known.baseUrl;
  if (!baseUrl)
    throw new UsageError(`No base address is published for ${known.name}: name it with --api-base-url.`);
  const origin = requireHttp('--api-base-url', baseUrl);
  if (origin.pathname !== '/' || origin.search !== '' || origin.hash !== '' || origin.username !== '')
    throw new UsageError('--api-base-url must be an origin alone, as https://api.example.org.');
  return { ...chainOf(options, environment, { known, file, hub }), baseUrl: origin.origin };
}

/** The chain alone, for what needs no service. @throws UsageError that names the flag to give */
export async function chainDestinationOf(
  options: DeploymentOptions,
  { environment }: Pick<Terminal, 'environment'>,
): Promise<ChainDestination> {
  return chainOf(options, environment, await foundDeployment(options));
}

/** An http(s) URL of the command line. @throws UsageError that names the flag */
export function requireHttp(flag: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`${flag} must be an http(s) URL.`);
  return url;
}

interface Found {
  readonly known: Deployment;
  readonly file: Described;
  readonly hub: Address;
}

async function foundDeployment(options: DeploymentOptions): Promise<Found> {
  const name = options.deployment;
  const named = Object.hasOwn(DEPLOYMENTS, name) ? DEPLOYMENTS[name as Deployment['name']] : undefined;
  const file: Described = named === undefined ? await described(name) : {};
  const known: Deployment | undefined = named ?? deploymentOfChain(file.chain_id ?? 0);
  if (known === undefined) throw new UsageError(`${name} describes no chain that is known here.`);
  const hub = hubOf(options.hub ?? file.hub_address) ?? known.hubAddress;
  if (hub === undefined) throw new UsageError(`No Hub is published for ${known.name}: name it with --hub.`);
  return { known, file, hub };
}

function chainOf(options: DeploymentOptions, environment: Environment, { known, file, hub }: Found) {
  const rpcUrl = options.rpcUrl ?? environment.SERVICE_CLI_RPC_URL ?? file.rpc_url;
  if (!rpcUrl) throw new UsageError('Name your own RPC of the chain with --rpc-url.');
  requireHttp('--rpc-url', rpcUrl);
  return {
    deployment: clientDeployment(known, hub),
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
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Told below.
  }
  throw new UsageError(`${path} is no JSON object: is it what \`npm start --silent -- --json\` prints?`);
}

function hubOf(text: string | undefined): Address | undefined {
  if (text === undefined) return undefined;
  const address = parseAddress(text);
  if (address === undefined) throw new UsageError('--hub must be an address.');
  return address;
}
