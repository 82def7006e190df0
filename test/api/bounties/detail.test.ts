// The bounty read on the real stack: finalized facts whole, the challenge only when its bytes hash to the commitment.

import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import { type Address, getAddress } from 'viem';
import { compileSolidity } from '../../../abis/compileSolidity.ts';
import type { LocalApiServer } from '../../../server/local/apiServer.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { commitmentOf as keccakOf } from '../../../server/protocol/commitment.ts';
import { type Actors, actorsOn, commitmentOf } from '../../actors/actors.ts';
import { type Clock, clockOf } from '../../actors/clock.ts';
import { sharedServer, sharedStack } from '../../localStack.ts';
import { get, until } from './bountyAnswers.ts';

describe('GET /api/bounties/{bounty_id}', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;

  before(async function () {
    this.timeout(60_000);
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    clock = clockOf(stack);
  });

  it('answers every field of the specification at the finalized block', async () => {
    const bounty = await actors.createBounty();
    const [first, second] = actors.solvers;
    await actors.submit(first!, bounty.bountyId, commitmentOf('first'));
    await actors.submit(second!, bounty.bountyId, commitmentOf('second'));
    await clock.finalizeFor(server.url);

    const { status, body } = await get(server.url, `/api/bounties/${bounty.bountyId}`);
    expect(status).to.equal(200);
    expect(Object.keys(body.bounty)).to.have.members([
      'chain_id',
      'hub_address',
      'bounty_id',
      'poster',
      'status',
      'winner',
      'submission_deadline',
      'judging_deadline_at',
      'settlement_timeout_at',
      'escrow',
      'guardian_roster_hash',
      'guardian_roster',
      'spec_commitment',
      'submissions',
      'submission_count',
    ]);
    expect(body.bounty).to.deep.include({
      chain_id: 31337,
      hub_address: getAddress(stack.hubAddress),
      bounty_id: String(bounty.bountyId),
      poster: getAddress(actors.poster.address),
      status: 'open',
      winner: null,
      submission_deadline: Number(bounty.submissionDeadline),
      judging_deadline_at: Number(bounty.judgingDeadlineAt),
      settlement_timeout_at: Number(bounty.settlementTimeoutAt),
      escrow: { token_address: getAddress(stack.tokenAddress), amount: String(bounty.amount) },
      guardian_roster_hash: bounty.guardianRosterHash,
      spec_commitment: bounty.specCommitment,
      submission_count: 2,
    });
    expect(body.bounty.guardian_roster).to.deep.equal(
      stack.accounts.guardians.map(({ name, address, encryption_public_key }) => ({
        name,
        account: getAddress(address),
        encryption_public_key,
      })),
    );
    expect(body.bounty.submissions).to.have.deep.members([
      { solver: getAddress(first!.address), submission_commitment: commitmentOf('first') },
      { solver: getAddress(second!.address), submission_commitment: commitmentOf('second') },
    ]);
    expect(body.challenge).to.equal(null);
    expect(body).to.not.have.property('error');
    expect(body.as_of.block_number).to.be.a('number');
  });

  it('serves the challenge as soon as its bytes are there, and the same bytes', async () => {
    const markdown = '---\nprofile: scientific-bounty-challenge/v0\n---\n# Grüße\r\n';
    const bytes = new TextEncoder().encode(markdown);
    const bounty = await actors.createBounty({ specCommitment: keccakOf(bytes) });
    await clock.finalizeFor(server.url);
    const path = `/api/bounties/${bounty.bountyId}`;
    expect((await get(server.url, path)).body.challenge).to.equal(null);
    await create({ url: stack.ipfsUrl }).block.put(bytes, { mhtype: 'keccak-256', format: 'raw', pin: true });
    expect((await get(server.url, path)).body.challenge).to.equal(markdown);
  });

  it('answers 304 to the entity tag of the same state', async () => {
    const bounty = await actors.createBounty();
    await clock.finalizeFor(server.url);
    const path = `/api/bounties/${bounty.bountyId}`;
    const etag = (await get(server.url, path)).headers.get('etag');
    expect(etag).to.match(/^"[A-Za-z0-9_-]{43}"$/);
    expect((await get(server.url, path, { 'If-None-Match': etag! })).status).to.equal(304);
  });

  it('is told to retry while indexed but not final, with an honest wait, and 200 after finality', async () => {
    await clock.finalizeFor(server.url);
    const bounty = await actors.createBounty();
    const block = await clock.seenBy(server.url);
    const path = `/api/bounties/${bounty.bountyId}`;
    const { status, headers, body } = await get(server.url, path);
    expect(status).to.equal(503);
    expect(body.error.code).to.equal('bounty_chain_state_unavailable');
    expect(Object.keys(body.error)).to.have.members(['code', 'message', 'issues', 'next_action']);
    // Two more blocks of two seconds make it final here.
    expect(Number(headers.get('retry-after'))).to.equal(4);
    expect(body.error.message).to.contain(String(block));
    await clock.finalizeFor(server.url);
    expect((await get(server.url, path)).status).to.equal(200);
  });

  it('lets copycats be: one challenge in two bounties, one commitment of two Solvers', async () => {
    const specCommitment = commitmentOf('copied challenge');
    const one = await actors.createBounty({ specCommitment });
    const two = await actors.createBounty({ specCommitment });
    const copied = commitmentOf('copied submission');
    await actors.submit(actors.solvers[0]!, one.bountyId, copied);
    await actors.submit(actors.solvers[1]!, one.bountyId, copied);
    await actors.submit(actors.solvers[1]!, two.bountyId, copied);
    await clock.finalizeFor(server.url);
    const [first, second] = await Promise.all(
      [one, two].map(({ bountyId }) => get(server.url, `/api/bounties/${bountyId}`)),
    );
    expect(first!.body.bounty.submission_count).to.equal(2);
    expect(first!.body.bounty.submissions.map((row: { solver: Address }) => row.solver)).to.have.members(
      actors.solvers.slice(0, 2).map(({ address }) => getAddress(address)),
    );
    expect(second!.body.bounty.submissions).to.have.length(1);
    expect(second!.body.bounty.spec_commitment).to.equal(specCommitment);
  });

  it('lists 1,001 Submissions completely', async function () {
    this.timeout(60_000);
    const bounty = await actors.createBounty();
    const contract = compileSolidity(['test/api/contracts/ManySolvers.sol'])[0]!;
    const { client, stranger } = actors;
    const hash = await client.deployContract({
      abi: contract.abi,
      bytecode: contract.bytecode,
      account: stranger.account,
    } as never);
    const deployed = await client.waitForTransactionReceipt({ hash });
    // In parts that fit a block; each run counts on from its own nonce, so commitments repeat and Solvers do not.
    for (const count of [200, 200, 200, 200, 200, 1]) {
      await client.writeContractSync({
        address: deployed.contractAddress as Address,
        abi: contract.abi,
        functionName: 'submit',
        args: [stack.hubAddress, bounty.bountyId, BigInt(count)],
        account: stranger.account,
        gas: 29_000_000n,
      } as never);
    }
    await clock.finalizeFor(server.url);
    const { body } = await until(server.url, `/api/bounties/${bounty.bountyId}`, 200);
    expect(body.bounty.submission_count).to.equal(1001);
    const solvers = new Set(body.bounty.submissions.map((row: { solver: string }) => row.solver));
    expect(solvers.size).to.equal(1001);
  });

  it('says 404 of an id that the Hub does not have', async () => {
    await clock.finalizeFor(server.url);
    const { status, body } = await get(server.url, '/api/bounties/999999');
    expect(status).to.equal(404);
    expect(body.error.code).to.equal('bounty_not_found');
  });

  for (const id of ['1e3', '01', '-1', '0x1', String(2n ** 256n), '9'.repeat(100), 'one']) {
    it(`refuses the id ${id.slice(0, 20)}`, async () => {
      const { status, body } = await get(server.url, `/api/bounties/${id}`);
      expect(status).to.equal(400);
      expect(body.error.code).to.equal('invalid_bounty_detail_request');
      expect(body.error.issues).to.have.length(1);
      expect(body.error.issues[0].path).to.equal('bounty_id');
    });
  }

  it('refuses a parameter that it does not know', async () => {
    const { status, body } = await get(server.url, '/api/bounties/1?x=1');
    expect(status).to.equal(400);
    expect(body.error.issues).to.deep.equal([
      { path: 'x', message: 'This parameter is unknown: leave it out.' },
    ]);
  });
});
