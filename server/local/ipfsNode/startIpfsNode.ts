// The local stack's IPFS node: the part of Kubo's RPC v0 (POST /api/v0/<command>) that the service, graph-node, graph-cli
// and operators' scripts use, over blocks on disk. It joins no network: what is not on this disk is missing.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendFailure, sendReply } from './answer.ts';
import { looksLikeBrowser } from './browserGuard.ts';
import { callOf } from './command.ts';
import { ALL_COMMANDS } from './commands/all.ts';
import { openRepo, type Repo } from './repo.ts';

const PREFIX = '/api/v0/';
const KEEP_ALIVE_MS = 60_000;

/** Where the node keeps its data (the folder is created when missing) and listens; port 0 or none means a free one. */
export interface IpfsNodeOptions {
  readonly dataDir: string;
  readonly port?: number;
}

/** A running node. `url` is what Kubo clients take, without a path. */
export interface LocalIpfsNode {
  readonly url: string;
  readonly port: number;
  /** Breaks open connections off and waits until nothing is written any more. */
  stop(): Promise<void>;
}

/** Starts a node on 127.0.0.1; only one at a time may use a data folder. */
export async function startIpfsNode({ dataDir, port = 0 }: IpfsNodeOptions): Promise<LocalIpfsNode> {
  const repo = await openRepo(dataDir);
  const running = new Set<Promise<void>>();
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    const work = serve(repo, request, response);
    running.add(work);
    work.finally(() => running.delete(work));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1' }, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    async stop() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
      await Promise.allSettled(running);
    },
  };
}

async function serve(repo: Repo, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const name = path.startsWith(PREFIX) ? path.slice(PREFIX.length).replace(/\/$/, '') : undefined;
  const command = name !== undefined && Object.hasOwn(ALL_COMMANDS, name) ? ALL_COMMANDS[name] : undefined;
  if (looksLikeBrowser(request)) return plain(request, response, 403, '403 - Forbidden\n');
  if (command === undefined) return plain(request, response, 404, '404 page not found\n');
  if (request.method !== 'POST') return plain(request, response, 405, '405 - Method Not Allowed\n');
  try {
    await sendReply(response, await command(callOf(request, new URLSearchParams(query), repo)));
  } catch (error) {
    sendFailure(response, error);
  }
  dropRest(request, response);
}

function plain(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'content-type': 'text/plain', ...(status === 405 && { allow: 'POST' }) })
    .end(text);
  dropRest(request, response);
}

/** A body that nobody reads to its end must not be held, nor waited for. */
function dropRest(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  if (!request.complete)
    response.once('finish', () => setTimeout(() => request.complete || request.destroy(), 1_000).unref());
}
