// A load balancer as operators run one: round robin over servers whose /readyz answers 200, connections kept alive, and
// a request that could not even be handed to one server (the connection was refused) is handed to the next.

import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

const CHECK_MS = 100;

/** A running balancer. */
export interface Balancer {
  readonly url: string;
  /** How many requests each server has answered. */
  readonly answered: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Starts a balancer over servers that may come and go at their addresses. */
export async function startBalancer(targets: () => readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const healthy = new Set<string>();
  const answered = new Map<string, number>();
  let turn = 0;

  const check = async (): Promise<void> => {
    await Promise.all(
      targets().map(async (url) => {
        const ready = await fetch(`${url}/readyz`).then(
          async (response) => (await response.arrayBuffer()) && response.ok,
          () => false,
        );
        if (ready) healthy.add(url);
        else healthy.delete(url);
      }),
    );
  };
  const timer = setInterval(() => void check(), CHECK_MS);

  const hand = (target: string, request: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(target);
      const { method, url: path, headers } = request;
      httpRequest({ hostname, port, path, method, headers, agent }, resolve).on('error', reject).end(body);
    });

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const candidates = targets().filter((url) => healthy.has(url));
    for (const _attempt of candidates) {
      turn += 1;
      const target = candidates[turn % candidates.length]!;
      try {
        const answer = await hand(target, request, body);
        answered.set(target, (answered.get(target) ?? 0) + 1);
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'keep-alive' });
        answer.pipe(response);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') break;
      }
    }
    response.writeHead(502).end('no server');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await check();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    stop: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
