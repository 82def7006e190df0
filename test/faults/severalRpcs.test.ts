// Several RPCs of one chain: one may be away, the lowest finalized block counts, and when two disagree none is believed.

import { expect } from 'chai';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import { localRpc } from '../../server/local/localRpc.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { type Actors, actorsOn } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { get, until } from '../api/bounties/bountyAnswers.ts';
import { sharedStack } from '../localStack.ts';
import { startWireProxy, type WireProxy } from './wireProxy.ts';

describe('several RPCs', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let first: WireProxy;
  let second: WireProxy;
  let path: string;

  before(async function () {
    this.timeout(60_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
    [first, second] = await Promise.all([startWireProxy(stack.rpcUrl), startWireProxy(stack.rpcUrl)]);
    const environment = { RPC_URLS: `${first.url},${second.url}`, RATE_PER_ADDRESS: '0' };
    server = await startApiServer(stack.serverEnvironment(environment), { watch: stack.watch });
    const { bountyId } = await actors.createBounty();
    path = `/api/bounties/${bountyId}`;
    await clock.finalizeFor(server.url);
  });

  after(async () => {
    await server?.stop();
    await Promise.all([first, second].map((proxy) => proxy?.stop()));
  });

  afterEach(async function () {
    this.timeout(30_000);
    first.fault = undefined;
    second.fault = undefined;
    await until(server.url, '/readyz', 200);
  });

  for (const which of ['first', 'second'] as const) {
    it(`goes on while the ${which} is away`, async function () {
      this.timeout(40_000);
      (which === 'first' ? first : second).fault = { kind: 'reset' };
      await clock.finalizeFor(server.url);
      expect((await get(server.url, path)).status).to.equal(200);
    });
  }

  it('reads at the lowest finalized block of all', async function () {
    this.timeout(30_000);
    const before = (await get(server.url, path)).body.as_of.block_number as number;
    // The second one stands still at what was final until now.
    const still = await localRpc(stack.rpcUrl).call('eth_getBlockByNumber', [
      `0x${before.toString(16)}`,
      false,
    ]);
    second.fault = (_path, body) =>
      body.includes('finalized')
        ? {
            kind: 'rewrite',
            rewrite: (answer) => JSON.stringify({ ...JSON.parse(answer.toString()), result: still }),
          }
        : undefined;
    await clock.finalize();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect((await get(server.url, path)).body.as_of.block_number).to.equal(before);
  });

  it('believes none while they disagree, says so, and comes back by itself', async function () {
    this.timeout(40_000);
    second.fault = (_path, body) =>
      body.includes('eth_getBlockByNumber')
        ? {
            kind: 'rewrite',
            rewrite: (answer) => answer.toString().replace(/"hash":"0x..../, '"hash":"0xdead'),
          }
        : undefined;
    const answer = await until(server.url, path, 503);
    expect(answer.body.error.code).to.equal('bounty_chain_state_unavailable');
    expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
    const metrics = await (await fetch(server.metricsUrl)).text();
    expect(metrics).to.match(/bounty_rpc_disagreements_total [1-9]/);
  });
});
