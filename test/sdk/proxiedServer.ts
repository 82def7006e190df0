// A server of its own on the shared stack, reached only through a wire proxy: for tests in which the API lies, breaks off
// or refuses. Its public URL is the proxy's, so uploads and downloads pass it too.

import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import { freePort } from '../../server/local/freePort.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { startWireProxy, type WireProxy } from '../faults/wireProxy.ts';

/** The server, and the proxy that clients talk to. */
export interface ProxiedServer {
  readonly server: LocalApiServer;
  readonly proxy: WireProxy;
  stop(): Promise<void>;
}

/** Starts both, with rate limits out of the way. */
export async function startProxiedServer(stack: LocalStack): Promise<ProxiedServer> {
  const port = await freePort();
  const proxy = await startWireProxy(`http://127.0.0.1:${port}`, true);
  const environment = stack.serverEnvironment({
    PORT: String(port),
    PUBLIC_URL: proxy.url,
    PUBLIC_HOSTS: `127.0.0.1:${port},${new URL(proxy.url).host}`,
    RATE_PER_ADDRESS: '0',
    RATE_PER_SIGNER: '0',
  });
  try {
    const server = await startApiServer(environment, { watch: stack.watch });
    const stop = async (): Promise<void> => {
      await server.stop();
      await proxy.stop();
    };
    return { server, proxy, stop };
  } catch (error) {
    await proxy.stop();
    throw error;
  }
}
