/**
 * The local stack's drand beacon: drand's HTTP API over a chain of its own, on the clock of the local EVM chain. A round
 * is published only once the latest block's timestamp has reached the round's time, so that a test which moves the
 * chain forward also opens what was time-locked, and nothing opens earlier.
 */
import type { IncomingMessage } from 'node:http';
import type { DrandChain, DrandChainInfo } from './drandChain.ts';
import { drandChain } from './drandChain.ts';
import { type LoopbackServer, type Reply, startLoopbackServer } from './loopbackServer.ts';

const NOT_YET: Reply = { status: 425, body: { error: 'This round has not been published yet.' } };
const NOT_FOUND: Reply = { status: 404, body: { error: 'There is nothing at this path.' } };
const ROUTE = /^(?:\/([0-9a-f]{64}))?\/(info|public\/latest|public\/[1-9][0-9]{0,15})$/;

/** A running beacon. `url` answers both with and without the chain hash in the path. */
export interface LocalDrandBeacon extends LoopbackServer {
  readonly info: DrandChainInfo;
}

/**
 * Starts the beacon.
 *
 * @param chainTimestamp The latest block's timestamp in Unix seconds; asked for every request, so it is never stale
 * @param chain Default the chain of the well-known local seed
 * @param port Default a free one
 */
export async function startDrandBeacon(
  chainTimestamp: () => Promise<number>,
  chain: DrandChain = drandChain(),
  port?: number,
): Promise<LocalDrandBeacon> {
  const { info } = chain;
  const infoReply: Reply = {
    status: 200,
    body: {
      public_key: info.publicKey,
      period: info.period,
      genesis_time: info.genesis,
      hash: info.chainHash,
      groupHash: info.groupHash,
      schemeID: info.scheme,
      metadata: { beaconID: info.beaconId },
    },
  };

  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (request.method === 'GET' && path === '/chains') return { status: 200, body: [info.chainHash] };
    const match = ROUTE.exec(path);
    if (request.method !== 'GET' || match === null) return NOT_FOUND;
    const [, hash, resource] = match;
    if (hash !== undefined && hash !== info.chainHash) return NOT_FOUND;
    if (resource === 'info') return infoReply;
    const latest = Math.floor(((await chainTimestamp()) - info.genesis) / info.period) + 1;
    const round = resource === 'public/latest' ? latest : Number(resource?.slice('public/'.length));
    if (round < 1 || round > latest) return NOT_YET;
    return { status: 200, body: chain.sign(round) };
  };
  // Open to pages, as the public relays are.
  const headers = { 'access-control-allow-origin': '*' };
  const server = await startLoopbackServer(
    async (request) => ({ ...(await answer(request)), headers }),
    port,
  );
  return { ...server, info };
}
