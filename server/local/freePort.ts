// A port for a program that cannot choose one itself. Ports of the kernel's ephemeral range are avoided: an outgoing
// connection of anybody could take one between our look and the program's bind.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const LOWEST = 15_000;
const BEYOND = 32_000;
const ATTEMPTS = 50;
const given = new Set<number>();

/** A port that nobody listens on, on loopback and on every interface; each call in this process gives another one. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, BEYOND);
    if (given.has(port)) continue;
    // 0.0.0.0 alone conflicts with a listener on 127.0.0.1 only where SO_REUSEADDR is strict, so both are tried.
    if ((await canListen(port, '127.0.0.1')) && (await canListen(port, '0.0.0.0'))) {
      given.add(port);
      return port;
    }
  }
  throw new Error(`No free port was found between ${LOWEST} and ${BEYOND - 1}`);
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
