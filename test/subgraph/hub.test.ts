// The hub subgraph on the real graph-node: every event of the Hub, each row with the event that last set it.

import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Hex } from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { matchHash } from '../abis/verdict.ts';
import { type Actors, actorsOn, commitmentOf } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { sharedStack } from '../localStack.ts';
import { ask } from './readModel.ts';

describe('the hub subgraph', () => {
  let stack: LocalStack;
  let actors: Actors;
  let clock: Clock;

  before(async function () {
    this.timeout(60_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
  });

  const query = async (text: string) => {
    await clock.indexed();
    return ask(stack.subgraphUrl, text);
  };

  it('keeps what the Hub offers to new bounties', async () => {
    const { hubState } = await query(
      '{ hubState(id: "hub") { feeBps treasury currentRoster { size threshold members { account name position } } } }',
    );
    expect(hubState.feeBps).to.equal(250);
    expect(hubState.currentRoster).to.deep.include({ size: 5, threshold: 4 });
    expect(hubState.currentRoster.members).to.have.deep.members(
      stack.accounts.guardians.map(({ address, name }, position) => ({
        account: address.toLowerCase(),
        name,
        position,
      })),
    );
  });

  it('plays a bounty from creation to claim, each row with the event that last set it', async function () {
    this.timeout(30_000);
    const bounty = await actors.createBounty();
    const id = String(bounty.bountyId);
    const [winner, other] = actors.solvers;
    await actors.submit(winner!, bounty.bountyId, commitmentOf('draft'));
    await actors.submit(other!, bounty.bountyId, commitmentOf('other'));
    const active = commitmentOf(`final ${id}`);
    const receipt = await actors.submit(winner!, bounty.bountyId, active);
    await clock.warpTo(Number(bounty.submissionDeadline));
    const verdict = actors.awardTo(winner!, bounty, active);
    await actors.recordVerdict(actors.guardians[0]!, bounty.bountyId, actors.refund);
    for (const guardian of actors.guardians.slice(0, 4))
      await actors.recordVerdict(guardian, bounty.bountyId, verdict);
    await actors.recordVerdict(actors.guardians[4]!, bounty.bountyId, actors.refund);

    const open = await query(`{ bounty(id: "${id}") {
      status submissionCount verdictCount leadingMatching votesMissing feeAmount netAmount
      submissions(orderBy: revision) { solver submissionCommitment revision transactionHash logIndex blockHash blockNumber }
      submissionRevisions { revision } verdicts { guardian revision } verdictRevisions { revision }
      tallies(orderBy: matching) { outcome matching payable verdicts { guardian } } } }`);
    expect(open.bounty).to.deep.include({
      status: 'open',
      submissionCount: 2,
      verdictCount: 5,
      leadingMatching: 4,
      votesMissing: 0,
      netAmount: String(bounty.netAmount),
      feeAmount: String(bounty.amount - bounty.netAmount),
    });
    expect(open.bounty.submissions[1]).to.deep.equal({
      solver: winner!.address.toLowerCase(),
      submissionCommitment: active,
      revision: 2,
      transactionHash: receipt.transactionHash,
      logIndex: '0',
      blockHash: receipt.blockHash,
      blockNumber: String(receipt.blockNumber),
    });
    expect(open.bounty.submissionRevisions).to.have.length(3);
    expect(open.bounty.verdictRevisions).to.have.length(6);
    expect(
      open.bounty.tallies.map((row: { outcome: string; matching: number }) => [row.outcome, row.matching]),
    ).to.deep.equal([
      ['refunded', 1],
      ['awarded', 4],
    ]);

    const settled = await actors.settle(bounty.bountyId);
    const queued = await query(`{ bounty(id: "${id}") { status winner awardedSubmissionCommitment settlement {
      status paidAmount feeAmount matching transactionHash settledAt } }
      queuedBalance(id: "${winner!.address.toLowerCase()}-${stack.tokenAddress.toLowerCase()}") { amount totalQueued totalClaimed } }`);
    expect(queued.bounty).to.deep.include({
      status: 'awarded',
      winner: winner!.address.toLowerCase(),
      awardedSubmissionCommitment: active,
    });
    expect(queued.bounty.settlement).to.deep.include({
      status: 'awarded',
      paidAmount: String(bounty.netAmount),
      matching: 4,
      transactionHash: settled.transactionHash,
    });
    expect(BigInt(queued.queuedBalance.amount) >= bounty.netAmount).to.equal(true);
    await actors.claim(winner!);
    const { queuedBalance } = await query(
      `{ queuedBalance(id: "${winner!.address.toLowerCase()}-${stack.tokenAddress.toLowerCase()}") { amount totalQueued totalClaimed } }`,
    );
    expect(queuedBalance.amount).to.equal('0');
    expect(queuedBalance.totalClaimed).to.equal(queuedBalance.totalQueued);
  });

  it('keeps how a bounty was refunded by majority, and how one was timed out', async function () {
    this.timeout(30_000);
    const refunded = await actors.createBounty();
    const timedOut = await actors.createBounty();
    const poster = actors.poster.address.toLowerCase();
    const balanceId = `${poster}-${stack.tokenAddress.toLowerCase()}`;
    const balance = `queuedBalance(id: "${balanceId}") { amount totalQueued }`;
    const before = (await query(`{ ${balance} }`)).queuedBalance;
    await clock.warpTo(Number(refunded.submissionDeadline));
    for (const guardian of actors.guardians.slice(1))
      await actors.recordVerdict(guardian, refunded.bountyId, actors.refund);
    const settled = await actors.settle(refunded.bountyId);
    await clock.warpTo(Number(timedOut.settlementTimeoutAt));
    const ended = await actors.timeOut(timedOut.bountyId);

    const settlement = `settlement { status winner submissionCommitment paidAmount feeAmount matchHash matching
      blockHash transactionHash }`;
    const rows = await query(`{ refunded: bounty(id: "${refunded.bountyId}") { status winner ${settlement} }
      timedOut: bounty(id: "${timedOut.bountyId}") { status winner ${settlement} } ${balance} }`);
    const nobody = { winner: null, submissionCommitment: null };
    const whole = { paidAmount: String(refunded.amount), feeAmount: '0' };
    expect(rows.refunded).to.deep.equal({
      status: 'refunded',
      winner: null,
      settlement: {
        ...nobody,
        ...whole,
        status: 'refunded',
        matchHash: matchHash(actors.refund),
        matching: 4,
        blockHash: settled.blockHash,
        transactionHash: settled.transactionHash,
      },
    });
    expect(rows.timedOut).to.deep.equal({
      status: 'timed_out',
      winner: null,
      settlement: {
        ...nobody,
        ...whole,
        status: 'timed_out',
        matchHash: null,
        matching: null,
        blockHash: ended.blockHash,
        transactionHash: ended.transactionHash,
      },
    });
    const queued = refunded.amount + timedOut.amount;
    expect(BigInt(rows.queuedBalance.amount) - BigInt(before?.amount ?? 0)).to.equal(queued);
    expect(BigInt(rows.queuedBalance.totalQueued) - BigInt(before?.totalQueued ?? 0)).to.equal(queued);
  });

  it('takes an old roster again and every change of the fee policy', async () => {
    const { client, owner } = actors;
    const hub = { address: stack.hubAddress, abi: hubAbi, account: owner.account } as const;
    const { hubState: first } = await query(
      '{ hubState(id: "hub") { feeBps treasury currentRoster { id } } }',
    );
    const guardians = await client.readContract({
      ...hub,
      functionName: 'roster',
      args: [first.currentRoster.id],
    });
    await client.writeContractSync({ ...hub, functionName: 'setFeePolicy', args: [10, owner.address] });
    const { hubState: changed } = await query('{ hubState(id: "hub") { feeBps treasury } }');
    expect(changed).to.deep.equal({ feeBps: 10, treasury: owner.address.toLowerCase() });
    // As it was: other tests run on this Hub.
    await client.writeContractSync({
      ...hub,
      functionName: 'setFeePolicy',
      args: [first.feeBps, first.treasury],
    });
    const again = await client.writeContractSync({
      ...hub,
      functionName: 'publishRoster',
      args: [guardians],
    });
    const { hubState, rosterMembers } = await query(`{
      hubState(id: "hub") { feeBps treasury currentRoster { id } transactionHash }
      rosterMembers(where: { roster: "${first.currentRoster.id}" }) { id } }`);
    expect(hubState).to.deep.equal({ ...first, transactionHash: again.transactionHash });
    expect(rosterMembers).to.have.length(guardians.length);
  });

  it('computes the same addresses of documents as the golden vectors', async () => {
    const { documents } = JSON.parse(await readFile('test/vectors/address.json', 'utf8')) as {
      documents: { commitment: Hex; storage_locator: string }[];
    };
    for (const { commitment } of documents) await actors.createBounty({ specCommitment: commitment });
    const ids = documents.map(({ commitment }) => `"${commitment}"`).join();
    const { challenges } = await query(`{ challenges(where: { id_in: [${ids}] }) { id cid } }`);
    expect(challenges).to.have.deep.members(
      documents.map(({ commitment, storage_locator }) => ({
        id: commitment,
        cid: storage_locator.replace('ipfs://', ''),
      })),
    );
  });
});
