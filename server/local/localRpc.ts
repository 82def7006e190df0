// Single JSON-RPC calls to the local chain, without a client's caches: what the beacon's clock and the start need.

/** Calls one chain; both throw with the node's own message, which local runs may show. */
export interface LocalRpc {
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  /** The latest block's timestamp in Unix seconds. */
  latestTimestamp(): Promise<number>;
}

const TIMEOUT_MS = 10_000;

/** Binds {@link LocalRpc} to a node's URL. */
export function localRpc(rpcUrl: string): LocalRpc {
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: string } };
    if (error) throw new Error(`${method} failed: ${error.message ?? 'without a message'}`);
    return result;
  };
  return {
    call,
    latestTimestamp: async () => {
      const block = (await call('eth_getBlockByNumber', ['latest', false])) as { timestamp: string };
      return Number(block.timestamp);
    },
  };
}
