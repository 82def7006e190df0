// The local beacon against drand's own client and tlock: locked before its round, opened after it, on the chain's clock.

import { expect } from 'chai';
import {
  type ChainClient,
  HttpCachingChain,
  HttpChainClient,
  timelockDecrypt,
  timelockEncrypt,
} from 'tlock-js';
import { type LocalDrandBeacon, startDrandBeacon } from '../../server/local/drandBeacon.ts';
import { drandChain, drandChainHash } from '../../server/local/drandChain.ts';

const START = 1_800_000_000;

describe('drandBeacon', () => {
  let beacon: LocalDrandBeacon;
  let now = START;

  before(async () => {
    beacon = await startDrandBeacon(async () => now);
  });
  after(() => beacon.stop());
  beforeEach(() => {
    now = START;
  });

  const get = (path: string): Promise<Response> => fetch(`${beacon.url}${path}`);
  const roundOf = (time: number): number => Math.ceil((time - beacon.info.genesis) / beacon.info.period) + 1;
  const timeOf = (round: number): number => beacon.info.genesis + (round - 1) * beacon.info.period;

  it("hashes a chain's parameters as drand does: quicknet's own come out as quicknet's hash", () => {
    expect(
      drandChainHash({
        publicKey:
          '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
        genesis: 1692803367,
        period: 3,
        groupHash: 'f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e',
        beaconId: 'quicknet',
      }),
    ).to.equal('52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971');
  });

  it('publishes a round at its second of the chain clock, not one second earlier', async () => {
    const round = roundOf(START + 100);
    now = timeOf(round) - 1;
    expect((await get(`/public/${round}`)).status).to.equal(425);
    expect(await (await get('/public/latest')).json()).to.include({ round: round - 1 });
    now = timeOf(round);
    expect((await get(`/public/${round}`)).status).to.equal(200);
    expect(await (await get(`/${beacon.info.chainHash}/public/latest`)).json()).to.include({ round });
  });

  it('answers only under its own chain hash', async () => {
    expect((await get(`/${beacon.info.chainHash}/info`)).status).to.equal(200);
    expect((await get(`/${'ab'.repeat(32)}/info`)).status).to.equal(404);
    expect((await get('/public/0')).status).to.equal(404);
    expect((await get('/public/1e3')).status).to.equal(404);
  });

  it('opens what tlock locked once the round is out, and the signature verifies', async () => {
    const client = clientOf(beacon);
    const round = roundOf(START + 30);
    const secret = Buffer.from('the key bag');
    const locked = await timelockEncrypt(round, secret, client);
    expect(await failure(timelockDecrypt(locked, client))).to.match(/425/);
    now = timeOf(round);
    expect((await timelockDecrypt(locked, client)).toString()).to.equal('the key bag');
  });

  it('does not open with the beacon of another key', async () => {
    const other = await startDrandBeacon(async () => START + 1000, drandChain('another seed'));
    try {
      const locked = await timelockEncrypt(roundOf(START), Buffer.from('secret'), clientOf(beacon));
      expect(await failure(timelockDecrypt(locked, clientOf(other))))
        .to.be.a('string')
        .and.not.equal('');
    } finally {
      await other.stop();
    }
  });
});

/**
 * drand's client with verification on. tlock compares the round's time with the machine's clock, so the client gives a
 * genesis of zero: whether a round is out is for the beacon to say, which follows the chain's clock.
 */
function clientOf({ url, info }: LocalDrandBeacon): ChainClient {
  const options = {
    disableBeaconVerification: false,
    noCache: true,
    chainVerificationParams: { chainHash: info.chainHash, publicKey: info.publicKey },
  };
  const chain = new HttpCachingChain(url, options);
  const client = new HttpChainClient(chain, options);
  return {
    options,
    get: (round) => client.get(round),
    latest: () => client.latest(),
    chain: () => ({ baseUrl: url, info: async () => ({ ...(await chain.info()), genesis_time: 0 }) }),
  };
}

async function failure(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return String(error);
  }
  return '';
}
