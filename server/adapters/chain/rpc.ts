// JSON-RPC to the deployment's chain over one or several URLs: the first that answers is used, the order is kept.
// A failure of the wire and an answer of the chain are different things and never mixed up.

import { BaseError, createClient, type Hex, http, RpcRequestError } from 'viem';

/** A block's identity and place, all that the service needs of it. */
export interface Header {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** No RPC answered: nothing is known of the chain now. */
export class RpcUnavailable extends Error {
  constructor(cause: unknown) {
    super('No RPC of the chain answers.', { cause });
    this.name = 'RpcUnavailable';
  }
}

/** A block tag or number as `eth_getBlockByNumber` takes it. */
export type BlockSelector = 'latest' | 'finalized' | number;

interface RawHeader {
  number?: unknown;
  hash?: unknown;
  parentHash?: unknown;
  timestamp?: unknown;
}

/** One RPC endpoint. */
export class RpcEndpoint {
  readonly url: string;
  private readonly client;

  constructor(url: string, timeoutMs: number) {
    this.url = url;
    this.client = createClient({ transport: http(url, { timeout: timeoutMs, retryCount: 0 }) });
  }

  /**
   * One JSON-RPC request.
   *
   * @throws RpcRequestError when the node answered with an error; anything else when it did not answer properly
   */
  async request(method: string, params: readonly unknown[]): Promise<unknown> {
    // The client's own types cover only named methods of its schema; this is the door for all of them.
    const send = this.client.request as (call: {
      method: string;
      params: readonly unknown[];
    }) => Promise<unknown>;
    return send({ method, params });
  }

  /** The header of a block, or null when the chain has none there. */
  async header(block: BlockSelector): Promise<Header | null> {
    const selector = typeof block === 'number' ? `0x${block.toString(16)}` : block;
    const raw = (await this.request('eth_getBlockByNumber', [selector, false])) as RawHeader | null;
    return raw === null ? null : parseHeader(raw);
  }
}

/** All RPC endpoints of the chain, in the operator's order of preference. */
export class RpcPool {
  readonly endpoints: readonly RpcEndpoint[];

  constructor(urls: readonly string[], timeoutMs = 4_000) {
    this.endpoints = urls.map((url) => new RpcEndpoint(url, timeoutMs));
  }

  /**
   * Ask the endpoints in order until one answers.
   *
   * @throws RpcRequestError when the chain itself refused (a revert, say); RpcUnavailable when nobody answered
   */
  async ask<T>(question: (endpoint: RpcEndpoint) => Promise<T>): Promise<T> {
    let failure: unknown;
    for (const endpoint of this.endpoints) {
      try {
        return await question(endpoint);
      } catch (error) {
        if (isChainAnswer(error)) throw error;
        failure = error;
      }
    }
    throw new RpcUnavailable(failure);
  }

  /** The header of a block from the first endpoint that answers, or null when the chain has none there. */
  header(block: BlockSelector): Promise<Header | null> {
    return this.ask((endpoint) => endpoint.header(block));
  }
}

// -32005 and -32603 are limits and internal faults of the node, -32000 with no revert data is often both: only an
// execution error is an answer of the chain (EIP-1474; execution reverts carry code 3 or say so).
function isChainAnswer(error: unknown): boolean {
  const rpcError =
    error instanceof BaseError ? error.walk((inner) => inner instanceof RpcRequestError) : undefined;
  if (!(rpcError instanceof RpcRequestError)) return false;
  return (
    rpcError.code === 3 ||
    /revert|out of gas|invalid opcode|stack (under|over)flow/i.test(rpcError.details ?? '')
  );
}

function parseHeader(raw: RawHeader): Header {
  const { number, hash, parentHash, timestamp } = raw;
  const header = {
    number: quantity(number),
    hash: hash32(hash),
    parentHash: hash32(parentHash),
    timestamp: quantity(timestamp),
  };
  return header;
}

function quantity(value: unknown): number {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(value))
    throw new Error('The RPC sent a malformed number.');
  return Number(value);
}

function hash32(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{64}$/i.test(value))
    throw new Error('The RPC sent a malformed hash.');
  return value.toLowerCase() as Hex;
}
