// The bounty list on the real stack: filters, pages, and what it refuses.

import { expect } from 'chai';
import { getAddress } from 'viem';
import type { LocalApiServer } from '../../../server/local/apiServer.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { type Actors, actorsOn, commitmentOf } from '../../actors/actors.ts';
import { type Clock, clockOf } from '../../actors/clock.ts';
import { sharedServer, sharedStack } from '../../localStack.ts';
import { get } from './bountyAnswers.ts';

describe('GET /api/bounties', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let ids: string[];

  const idsOf = async (query: string): Promise<string[]> => {
    const { status, body } = await get(server.url, `/api/bounties?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.bounties.map((bounty: { bounty_id: string }) => bounty.bounty_id);
  };

  before(async function () {
    this.timeout(60_000);
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    clock = clockOf(stack);
    const created = [];
    for (let i = 0; i < 3; i++) created.push(await actors.createBounty());
    ids = created.map(({ bountyId }) => String(bountyId));
    await actors.submit(actors.solvers[2]!, created[1]!.bountyId, commitmentOf('listed'));
    await clock.finalizeFor(server.url);
  });

  it('lists the newest first, without roster and Submissions', async () => {
    const { body } = await get(server.url, '/api/bounties?limit=3');
    expect(body.bounties.map((bounty: { bounty_id: string }) => bounty.bounty_id)).to.deep.equal(
      [...ids].reverse(),
    );
    expect(body.bounties[0]).to.not.have.any.keys('guardian_roster', 'submissions');
    expect(body.bounties[0].poster).to.equal(getAddress(actors.poster.address));
    expect(body.as_of.block_hash).to.match(/^0x[0-9a-f]{64}$/);
  });

  it('walks all pages without a gap or a repetition', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/api/bounties?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body } = await get(server.url, path);
      seen.push(...body.bounties.map((bounty: { bounty_id: string }) => bounty.bounty_id));
      cursor = body.next_cursor;
    }
    const highest = Number(ids.at(-1));
    expect(seen).to.deep.equal(Array.from({ length: highest }, (_, index) => String(highest - index)));
  });

  it('narrows by Poster, Solver, Guardian and status', async () => {
    expect(await idsOf(`poster=${actors.poster.address}&limit=3`)).to.deep.equal([...ids].reverse());
    expect(await idsOf(`poster=${actors.stranger.address}`)).to.deep.equal([]);
    expect(await idsOf(`solver=${actors.solvers[2]!.address.toLowerCase()}`)).to.include(ids[1]);
    expect(await idsOf(`solver=${actors.solvers[2]!.address}`)).to.not.include(ids[0]);
    expect(await idsOf(`guardian=${actors.guardians[4]!.address}&limit=3`)).to.deep.equal([...ids].reverse());
    expect(await idsOf(`guardian=${actors.poster.address}`)).to.deep.equal([]);
    expect(await idsOf('status=open&limit=3')).to.deep.equal([...ids].reverse());
    expect(await idsOf('status=awarded&limit=3')).to.not.include.members(ids);
  });

  for (const [query, path] of [
    ['status=closed', 'status'],
    ['poster=0x12', 'poster'],
    [`poster=0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2a`, 'poster'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=x', 'cursor'],
    ['mine', 'mine'],
    ['status=%ff', 'query'],
  ] as const) {
    it(`refuses ${query}`, async () => {
      const { status, body } = await get(server.url, `/api/bounties?${query}`);
      expect(status).to.equal(400);
      expect(body.error.code).to.equal('invalid_bounty_detail_request');
      expect(body.error.issues.map((issue: { path: string }) => issue.path)).to.deep.equal([path]);
    });
  }
});
