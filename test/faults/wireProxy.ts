// A proxy on the wire between the server and one HTTP neighbour, which a test makes lie, hang, break off or refuse.

import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of one exchange; undefined lets it pass as it is. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  | { readonly kind: 'delay'; readonly milliseconds: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'truncate' }
  | { readonly kind: 'rewrite'; readonly rewrite: (body: Buffer, request: string) => Buffer | string };

/** A running proxy. */
export interface WireProxy {
  readonly url: string;
  /** The fault of every exchange from now on, or what decides it from path and request body. */
  fault: Fault | undefined | ((path: string, body: string) => Fault | undefined);
  /** How many exchanges came by. */
  readonly count: () => number;
  stop(): Promise<void>;
}

/**
 * Starts a proxy to `target` (an http URL without a path of its own, or with one that is kept).
 *
 * @param keepHost Pass the client's own Host header on, as what is signed over it needs
 */
export async function startWireProxy(target: string, keepHost = false): Promise<WireProxy> {
  const upstream = new URL(target);
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    void exchange(request, response).catch(() => response.destroy());
  });

  const exchange = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const path = request.url ?? '/';
    const fault = typeof proxy.fault === 'function' ? proxy.fault(path, body.toString()) : proxy.fault;
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'reset') return void response.destroy();
    if (fault?.kind === 'status') return void response.writeHead(fault.status, fault.headers).end(fault.body);
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.milliseconds));
    const answer = await forward(request, path, body);
    let bytes = answer.body;
    if (fault?.kind === 'rewrite') bytes = Buffer.from(fault.rewrite(bytes, body.toString()));
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = answer.headers;
    response.writeHead(answer.status, { ...headers, 'content-length': bytes.length });
    if (fault?.kind !== 'truncate') return void response.end(bytes);
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
  };

  const forward = (request: IncomingMessage, path: string, body: Buffer) =>
    new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
      (resolve, reject) => {
        const { 'accept-encoding': _encoding, ...headers } = request.headers;
        const outgoing = httpRequest(
          {
            host: upstream.hostname,
            port: upstream.port,
            path,
            method: request.method,
            headers: { ...headers, host: keepHost ? request.headers.host : upstream.host },
          },
          async (incoming) => {
            const parts: Buffer[] = [];
            for await (const part of incoming) parts.push(part as Buffer);
            resolve({
              status: incoming.statusCode ?? 502,
              headers: incoming.headers,
              body: Buffer.concat(parts),
            });
          },
        );
        outgoing.on('error', reject).end(body);
      },
    );

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: WireProxy = {
    url: `http://127.0.0.1:${port}${upstream.pathname === '/' ? '' : upstream.pathname}`,
    fault: undefined,
    count: () => count,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}
