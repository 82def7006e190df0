// Above the finalized block everything may be dropped, and nothing that was dropped is ever served: also when
// graph-node's query cache had seen it, and when indexing trails a burst of blocks.

import { expect } from 'chai';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import { localRpc } from '../../server/local/localRpc.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { type Actors, actorsOn, commitmentOf } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { get } from '../api/bounties/bountyAnswers.ts';
import { ownStack } from '../localStack.ts';

describe('a chain that reorganizes', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;

  before(async function () {
    this.timeout(60_000);
    // With graph-node's own cache switched on, which an operator should not do: even then nothing dropped is served.
    stack = await ownStack({ graphNodeEnvironment: { GRAPH_CACHED_SUBGRAPH_IDS: '*' } });
    server = await startApiServer(stack.serverEnvironment({ RATE_PER_ADDRESS: '0' }), { watch: stack.watch });
    actors = actorsOn(stack);
    clock = clockOf(stack);
  });

  after(async () => {
    await stack?.stop();
  });

  it('never serves what a reorg above the finalized block dropped', async function () {
    this.timeout(60_000);
    const kept = await actors.createBounty();
    await clock.finalizeFor(server.url);
    const keptPath = `/api/bounties/${kept.bountyId}`;
    expect((await get(server.url, keptPath)).body.bounty.submission_count).to.equal(0);

    const dropped = commitmentOf('dropped');
    await actors.submit(actors.solvers[0]!, kept.bountyId, dropped);
    await clock.indexed();
    // Warm every cache with the branch that will be dropped.
    const droppedSeen: unknown[] = [];
    for (let i = 0; i < 5; i++) droppedSeen.push((await get(server.url, keptPath)).body);
    await warmGraphNode(stack, String(kept.bountyId));

    await localRpc(stack.rpcUrl).call('anvil_reorg', [1, []]);
    await clock.finalizeFor(server.url);
    for (let i = 0; i < 5; i++) {
      const { status, body } = await get(server.url, keptPath);
      droppedSeen.push(body);
      expect(status).to.equal(200);
      expect(body.bounty.submissions).to.deep.equal([]);
    }
    expect(JSON.stringify(droppedSeen)).to.not.contain(dropped);
  });

  it('serves the new branch after it is final', async function () {
    this.timeout(60_000);
    const bounty = await actors.createBounty();
    await clock.finalizeFor(server.url);
    await actors.submit(actors.solvers[0]!, bounty.bountyId, commitmentOf('branch one'));
    await clock.indexed();
    await localRpc(stack.rpcUrl).call('anvil_reorg', [1, []]);
    await actors.submit(actors.solvers[0]!, bounty.bountyId, commitmentOf('branch two'));
    await clock.finalizeFor(server.url);
    const { body } = await get(server.url, `/api/bounties/${bounty.bountyId}`);
    expect(
      body.bounty.submissions.map((row: { submission_commitment: string }) => row.submission_commitment),
    ).to.deep.equal([commitmentOf('branch two')]);
  });

  it('answers without a 503 while indexing trails a burst of blocks', async function () {
    this.timeout(60_000);
    const bounty = await actors.createBounty();
    await clock.finalizeFor(server.url);
    const statuses = new Set<number>();
    let done = false;
    const asking = (async () => {
      while (!done) statuses.add((await get(server.url, `/api/bounties/${bounty.bountyId}`)).status);
    })();
    await clock.mine(400);
    await clock.finalizeFor(server.url);
    done = true;
    await asking;
    expect([...statuses]).to.deep.equal([200]);
  });
});

/** Ask graph-node itself for the branch's state, pinned by number and at the head, until its cache holds both. */
async function warmGraphNode(stack: LocalStack, id: string): Promise<void> {
  const head = await clockOf(stack).blockNumber();
  for (const block of [head, head - 1]) {
    const query = `{ bounty(id: "${id}", block: {number: ${block}}) { submissionCount submissions { submissionCommitment } } }`;
    const answer = await fetch(stack.subgraphUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(await answer.json()).to.have.nested.property('data.bounty');
  }
}
