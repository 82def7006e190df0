// A review provider on the same wire, which a test makes answer anything.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the provider does with one request. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage, body: string) => void;

/** A running provider. */
export interface Provider {
  readonly url: string;
  behaviour: Behaviour;
  /** All requests so far. */
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  stop(): Promise<void>;
}

/** A completion with this content. */
export const completing =
  (content: unknown, finishReason = 'stop'): Behaviour =>
  (response) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const message = { role: 'assistant', content: text, refusal: null };
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: finishReason }] }));
  };

/** Starts a provider that finds everything ready. */
export async function startProvider(): Promise<Provider> {
  const asked: Provider['asked'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    asked.push({ path: request.url ?? '', headers: request.headers, body });
    provider.behaviour(response, request, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: Provider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behaviour: completing({ ready: true, issues: [] }),
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}
