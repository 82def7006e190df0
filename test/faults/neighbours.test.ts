// One fault of each kind between the server and its neighbours: the answer is an honest 503 or a true answer, never an
// empty one, never the client's fault, never a neighbour's own words. When the fault is gone the service is back by itself.

import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { type Actors, actorsOn } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { get, until } from '../api/bounties/bountyAnswers.ts';
import { sharedStack } from '../localStack.ts';
import { startWireProxy, type WireProxy } from './wireProxy.ts';

const MARKDOWN = '---\nprofile: scientific-bounty-challenge/v0\n---\n# Behind a proxy\n';

describe('a neighbour that fails', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let index: WireProxy;
  let rpc: WireProxy;
  let ipfs: WireProxy;
  let path: string;

  before(async function () {
    this.timeout(60_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
    [index, rpc, ipfs] = (await Promise.all(
      [stack.subgraphUrl, stack.rpcUrl, stack.ipfsUrl].map((url) => startWireProxy(url)),
    )) as [WireProxy, WireProxy, WireProxy];
    const through = {
      SUBGRAPH_URL: index.url,
      RPC_URLS: rpc.url,
      IPFS_API_URL: ipfs.url,
      RATE_PER_ADDRESS: '0',
      MAX_INDEX_LAG_SECONDS: '2',
    };
    server = await startApiServer(stack.serverEnvironment(through), { watch: stack.watch });
    const bytes = new TextEncoder().encode(MARKDOWN);
    await create({ url: stack.ipfsUrl }).block.put(bytes, { mhtype: 'keccak-256', format: 'raw', pin: true });
    const bounty = await actors.createBounty({ specCommitment: commitmentOf(bytes) });
    path = `/api/bounties/${bounty.bountyId}`;
    await clock.finalizeFor(server.url);
  });

  after(async () => {
    await server?.stop();
    await Promise.all([index, rpc, ipfs].map((proxy) => proxy?.stop()));
  });

  afterEach(async function () {
    this.timeout(30_000);
    for (const proxy of [index, rpc, ipfs]) proxy.fault = undefined;
    await until(server.url, '/readyz', 200);
  });

  /** A new block, so that nothing that was answered before can be answered again from memory. */
  const freshBlock = async (): Promise<void> => {
    await clock.mine();
    await clock.indexed();
  };

  const refusal = async (asked = path) => {
    const answer = await until(server.url, asked, 503);
    expect(Object.keys(answer.body.error)).to.have.members(['code', 'message', 'issues', 'next_action']);
    expect(Number(answer.headers.get('retry-after'))).to.be.greaterThan(0);
    return answer.body.error as { code: string; message: string };
  };

  const secret = 'relation "sgd1.bounty" does not exist';
  for (const [name, fault] of [
    [
      'sends errors with HTTP 200',
      { kind: 'status', status: 200, body: JSON.stringify({ errors: [{ message: secret }] }) },
    ],
    ['sends HTML', { kind: 'status', status: 502, body: `<html>${secret}</html>` }],
    ['sends half of its JSON', { kind: 'truncate' }],
    ['resets the connection', { kind: 'reset' }],
    ['sends null data', { kind: 'status', status: 200, body: '{"data":null}' }],
  ] as const) {
    it(`index: ${name}`, async function () {
      this.timeout(30_000);
      index.fault = fault;
      await freshBlock();
      const error = await refusal();
      expect(error.code).to.equal('bounty_projection_unavailable');
      expect(JSON.stringify(error)).to.not.contain('sgd1');
      expect((await refusal('/api/bounties/999999')).code).to.equal('bounty_projection_unavailable');
    });
  }

  const rewritten = (from: RegExp, to: string) =>
    ({ kind: 'rewrite', rewrite: (body: Buffer) => body.toString().replaceAll(from, to) }) as const;

  it('index: answers for another deployment', async function () {
    this.timeout(30_000);
    index.fault = rewritten(/"deployment":"[^"]*"/g, '"deployment":"QmOther"');
    expect((await refusal()).code).to.equal('bounty_projection_unavailable');
  });

  it('index: has indexing errors', async function () {
    this.timeout(30_000);
    index.fault = rewritten(/"hasIndexingErrors":false/g, '"hasIndexingErrors":true');
    expect((await refusal()).code).to.equal('bounty_projection_unavailable');
  });

  it('index: is on another fork', async function () {
    this.timeout(30_000);
    index.fault = rewritten(/"hash":"0x..../g, '"hash":"0xdead');
    await freshBlock();
    expect((await refusal()).code).to.equal('bounty_projection_unavailable');
  });

  it('index: leaves a field out', async function () {
    this.timeout(30_000);
    index.fault = rewritten(/"specCommitment":"[^"]*",?/g, '');
    await freshBlock();
    expect((await refusal()).code).to.equal('bounty_projection_unavailable');
  });

  it('index: stops at a block while the chain goes on', async function () {
    this.timeout(30_000);
    const head = await clock.blockNumber();
    index.fault = rewritten(/"number":\d+/g, `"number":${head - 5}`);
    await clock.mine(10);
    expect(['bounty_chain_state_unavailable', 'bounty_projection_unavailable']).to.contain(
      (await refusal()).code,
    );
  });

  it('chain: does not answer', async function () {
    this.timeout(40_000);
    rpc.fault = { kind: 'reset' };
    const answer = await until(server.url, path, 503, 20_000);
    expect(answer.body.error.code).to.equal('bounty_chain_state_unavailable');
  });

  it('storage: is away, and the bounty is still read', async function () {
    this.timeout(30_000);
    ipfs.fault = { kind: 'reset' };
    const other = await actors.createBounty({
      specCommitment: commitmentOf(new TextEncoder().encode('unread')),
    });
    await clock.finalizeFor(server.url);
    const { status, body } = await get(server.url, `/api/bounties/${other.bountyId}`);
    expect(status).to.equal(200);
    expect(body.challenge).to.equal(null);
    expect(body).to.not.have.property('error');
  });

  it('storage: sends other bytes than were committed', async function () {
    this.timeout(30_000);
    const bytes = new TextEncoder().encode(`${MARKDOWN}Once more.\n`);
    await create({ url: stack.ipfsUrl }).block.put(bytes, { mhtype: 'keccak-256', format: 'raw', pin: true });
    const other = await actors.createBounty({ specCommitment: commitmentOf(bytes) });
    ipfs.fault = { kind: 'rewrite', rewrite: (body) => body.toString().replace('Once more', 'Once less') };
    await clock.finalizeFor(server.url);
    const asked = `/api/bounties/${other.bountyId}`;
    const { status, body } = await get(server.url, asked);
    expect(status).to.equal(200);
    expect(body.challenge).to.equal(null);
    expect(body.error.code).to.equal('bounty_challenge_content_mismatch');
    ipfs.fault = undefined;
    // The wrong answer was not kept.
    expect((await get(server.url, asked)).body.challenge).to.contain('Once more');
  });

  it('answers a thousand identical cold reads with one question to the index', async function () {
    this.timeout(30_000);
    await freshBlock();
    await until(server.url, '/readyz', 200);
    const polls = /^\{"query":"\{ _meta/;
    let questions = 0;
    index.fault = (_path, body) => {
      if (!polls.test(body) && body.includes('query Bounty(')) questions += 1;
      return undefined;
    };
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => get(server.url, path)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    // One for each block that the reads were spread over, and no block came in between.
    expect(questions).to.be.at.most(1);
  });
});
