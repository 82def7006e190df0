// What every resource of the client shares: the base address, the deployment that both ends must agree on, the signer,
// and the user's own view of the chain. Before the first request it makes sure that API and RPC stand for the same
// deployment as the caller.

import type { Client, Hex } from 'viem';
import { getBlock, getBlockNumber } from 'viem/actions';
import { deploymentAnswer } from './answers/deployment.ts';
import type { ApprovalSigner, BlockSource } from './authorize.ts';
import { type ClientDeployment, requireSameDeployment } from './clientDeployment.ts';
import { fetchOnce, type Wire } from './fetchOnce.ts';
import { type Hub, hubOn } from './hub.ts';
import { HubError } from './hubError.ts';
import { type Patience, patiently } from './patience.ts';
import { readJson } from './readAnswer.ts';
import { signedFetch } from './signedFetch.ts';
import { UntrustedAnswerError } from './untrustedAnswer.ts';

/** What may differ from call to call. */
export type CallOptions = Patience;

/** How the client reaches the service. */
export interface ConnectionOptions extends Patience, Omit<Wire, 'signal'> {
  /** The service's base address, as `https://api.example.org`. */
  readonly baseUrl: string;
  readonly deployment: ClientDeployment;
  /** A viem client of the user's own RPC. */
  readonly chain: Client;
  /** Needed for signed routes alone. */
  readonly signer?: ApprovalSigner | undefined;
}

/** A request to a signed route. */
export interface SignedCall {
  readonly method: 'GET' | 'POST';
  /** Path with query. */
  readonly target: string;
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
  /** Approvals that must not be made again, over several calls. */
  readonly spent?: Set<Hex>;
}

/** A connection to one deployment. */
export interface Connection {
  readonly deployment: ClientDeployment;
  readonly hub: Hub;
  readonly chain: Client;
  /** @throws TypeError without a signer */
  signer(): ApprovalSigner;
  /** A public GET of a path of the service. */
  get(target: string, options?: CallOptions): Promise<Response>;
  /** A signed request. */
  sign(call: SignedCall, options?: CallOptions): Promise<Response>;
  /** One exchange with a URL that the service handed out, unsigned. */
  exchange(
    url: string,
    request: RequestInit,
    timeoutSeconds: number,
    signal?: AbortSignal,
  ): Promise<Response>;
  /** Whether API and RPC stand for the caller's deployment. @throws UntrustedAnswerError, HubError, ApiError */
  agree(options?: CallOptions): Promise<void>;
}

/** Opens a connection; nothing is sent yet. @throws TypeError for a base address that is no http URL without a path */
export function connect(options: ConnectionOptions): Connection {
  const base = baseOf(options.baseUrl);
  const { deployment, chain, signer, maxWaitSeconds, onWait } = options;
  const hub = hubOn(chain, deployment.hubAddress);
  const wire = { fetch: options.fetch, timeoutSeconds: options.timeoutSeconds };
  const merged = (call: CallOptions = {}) => ({
    ...wire,
    maxWaitSeconds: call.maxWaitSeconds ?? maxWaitSeconds,
    onWait: call.onWait ?? onWait,
    signal: both(options.signal, call.signal),
  });
  const getNow = (target: string, call: CallOptions): Promise<Response> => {
    const how = merged(call);
    return patiently(() => fetchOnce(new URL(base + target), { method: 'GET' }, how), how, false);
  };

  let agreed: Promise<void> | undefined;
  const compare = async (call: CallOptions): Promise<void> => {
    const { signal } = merged(call);
    const answer = await readJson(await getNow('/api/deployment', call), deploymentAnswer, signal);
    requireSameDeployment(answer, deployment);
    const actual = await hub.chainId();
    if (actual === deployment.chainId) return;
    const message = `Your RPC is on chain ${actual}, the deployment on ${deployment.chainId}.`;
    throw new HubError('wrong_chain', message);
  };
  const agree = (call: CallOptions = {}): Promise<void> => {
    // A failure is not kept: the next call asks again.
    agreed ??= compare(call).catch((error: unknown) => {
      agreed = undefined;
      throw error;
    });
    return agreed;
  };

  const signing = (): ApprovalSigner => {
    if (signer === undefined) throw new TypeError('This call must be signed: the client has no wallet.');
    return signer;
  };
  return {
    deployment,
    hub,
    chain,
    signer: signing,
    agree,
    async get(target, call = {}) {
      await agree(call);
      return getNow(target, call);
    },
    async sign({ target, spent, ...request }, call = {}) {
      const by = signing();
      await agree(call);
      const how = { ...merged(call), deployment, signer: by, blocks: blocksOf(chain), spent };
      return signedFetch({ ...request, url: base + target }, how);
    },
    exchange(url, request, timeoutSeconds, signal) {
      const target = new URL(url);
      if (target.protocol === 'http:' && base.startsWith('https:')) {
        const message = 'The API hands out an unprotected URL.';
        throw new UntrustedAnswerError(message, [{ path: 'url', message: `${target.origin} is not https.` }]);
      }
      return fetchOnce(target, request, { ...wire, timeoutSeconds, signal: both(options.signal, signal) });
    },
  };
}

function blocksOf(chain: Client): BlockSource {
  return {
    getBlockNumber: (parameters) => getBlockNumber(chain, parameters),
    getBlock: (parameters) => getBlock(chain, parameters),
  };
}

function both(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);
}

function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url?.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  if (url === undefined || !isOrigin || !['http:', 'https:'].includes(url.protocol))
    throw new TypeError('The base address must be an http or https URL without a path.');
  return url.origin;
}
