// A small HTTP server of the local stack on a loopback port, for the parts that run inside the launcher. It answers JSON
// alone, reads bodies under a limit, and stops at once: open connections are closed, not waited for.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** One answer: status and a JSON value. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A running server. */
export interface LoopbackServer {
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Listens on 127.0.0.1 (on a free port unless one is given) and answers each request with what `answer` returns. */
export async function startLoopbackServer(
  answer: (request: IncomingMessage, body: string) => Promise<Reply> | Reply,
  port = 0,
): Promise<LoopbackServer> {
  const server = createServer(async (request, response) => {
    let reply: Reply;
    try {
      reply = await answer(request, await readBody(request));
    } catch (error) {
      reply = { status: 500, body: { error: { message: String(error) } } };
    }
    const bytes = Buffer.from(JSON.stringify(reply.body));
    const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
    response.writeHead(reply.status, { ...headers, ...reply.headers });
    response.end(bytes);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1' }, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
