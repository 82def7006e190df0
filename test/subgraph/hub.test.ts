// The hub subgraph on the real graph-node: every event indexed, copycats scoped, Verdicts counted.

import { expect } from 'chai';
import type { Address, Hex } from 'viem';
import { compileSolidity } from '../../abis/compileSolidity.ts';
import { testTokenAbi } from '../../abis/testTokenAbi.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { commitmentLocator } from '../../server/protocol/address.ts';
import { award, payout, type Verdict } from '../abis/verdict.ts';
import { type Actors, actorsOn, commitmentOf, ESCROW } from '../actors/actors.ts';
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

  it('counts Verdicts like a plain model through random changes', async function () {
    this.timeout(60_000);
    const bounty = await actors.createBounty();
    const solver = actors.solvers[0]!;
    const active = commitmentOf('counted');
    await actors.submit(solver, bounty.bountyId, active);
    await clock.warpTo(Number(bounty.submissionDeadline));
    const right = actors.awardTo(solver, bounty, active);
    // Stated wrongly: recorded, counted apart, and never able to settle.
    const wrong = award(solver.address, active, payout(bounty.token, bounty.netAmount - 1n));
    const choices: [string, Verdict, boolean][] = [
      ['right', right, true],
      ['wrong', wrong, false],
      ['refund', actors.refund, true],
    ];
    const current = new Map<Address, [string, Verdict, boolean]>();
    // A fixed sequence that looks random: the multiples of 7 modulo 15 walk all pairs of Guardian and choice.
    for (let step = 0; step < 24; step += 1) {
      const number = (step * 7 + Math.floor(step / 5)) % 15;
      const guardian = actors.guardians[number % 5]!;
      const choice = choices[Math.floor(number / 5)]!;
      current.set(guardian.address, choice);
      const report = commitmentOf(`report ${step}`);
      await actors.recordVerdict(guardian, bounty.bountyId, choice[1], report);
      if (step % 4 !== 3) continue;
      const model = [...current.values()].filter(([, , payable]) => payable).map(([name]) => name);
      const leading = Math.max(
        0,
        ...['right', 'refund'].map((name) => model.filter((other) => other === name).length),
      );
      const { bounty: row } = await query(
        `{ bounty(id: "${bounty.bountyId}") { verdictCount leadingMatching votesMissing tallies { matching payable } } }`,
      );
      expect(row, `after step ${step}`).to.deep.include({
        verdictCount: current.size,
        leadingMatching: leading,
        votesMissing: Math.max(0, 4 - leading),
      });
      const counted = row.tallies.reduce(
        (sum: number, tally: { matching: number }) => sum + tally.matching,
        0,
      );
      expect(counted).to.equal(current.size);
    }
  });

  it('lets copycats do no harm: duplicates in one transaction, in one block, in one batch', async function () {
    this.timeout(30_000);
    const { client, poster, solvers } = actors;
    const [contract] = compileSolidity(['test/subgraph/contracts/Batch.sol']);
    const hash = await client.deployContract({ ...contract!, account: poster.account } as never);
    const { contractAddress } = await client.waitForTransactionReceipt({ hash });
    const specCommitment = commitmentOf('copied in one transaction');
    const commitment = commitmentOf('copied submission in one transaction');
    const terms = await actors.bountyTerms({ specCommitment });
    const token = { address: stack.tokenAddress, abi: testTokenAbi, account: poster.account } as const;
    await client.writeContractSync({
      ...token,
      functionName: 'approve',
      args: [contractAddress!, ESCROW * 5n],
    });
    const batch = await client.writeContractSync({
      address: contractAddress!,
      abi: contract!.abi,
      functionName: 'createMany',
      args: [stack.hubAddress, terms, 5n, commitment],
      account: poster.account,
      gas: 15_000_000n,
    } as never);
    expect((batch as { status: string }).status).to.equal('success');
    const last = Number((await query('{ hubState(id: "hub") { bountyCount } }')).hubState.bountyCount);
    await actors.submit(solvers[0]!, BigInt(last), commitment);
    await actors.submit(solvers[1]!, BigInt(last), commitment);

    const { challenge, sealedSubmission, bountySubmission, submission } = await query(`{
      challenge(id: "${specCommitment}") { cid bounties { id } }
      sealedSubmission(id: "${commitment}") { submissions { id } }
      bountySubmission(id: "${last}-${commitment}") { id }
      submission(id: "${last}-${solvers[0]!.address.toLowerCase()}") { revision submissionCommitment } }`);
    expect(challenge.bounties).to.have.length(5);
    expect(`ipfs://${challenge.cid}`).to.equal(commitmentLocator(specCommitment as Hex));
    expect(sealedSubmission.submissions).to.have.length(7);
    expect(bountySubmission.id).to.equal(`${last}-${commitment}`);
    expect(submission).to.deep.equal({ revision: 1, submissionCommitment: commitment });
    const { _meta } = await query('{ _meta { hasIndexingErrors } }');
    expect(_meta.hasIndexingErrors).to.equal(false);
  });

  it('keeps one report of two Guardians apart', async function () {
    this.timeout(30_000);
    const bounty = await actors.createBounty();
    await clock.warpTo(Number(bounty.submissionDeadline));
    const report = commitmentOf('one report for two');
    await actors.recordVerdict(actors.guardians[0]!, bounty.bountyId, actors.refund, report);
    await actors.recordVerdict(actors.guardians[1]!, bounty.bountyId, actors.refund, report);
    const rows = await query(`{ report(id: "${report}") { verdictRevisions { guardian } }
      bounty(id: "${bounty.bountyId}") { leadingMatching verdicts { guardian reportCommitment } } }`);
    expect(rows.report.verdictRevisions).to.have.length(2);
    expect(rows.bounty.leadingMatching).to.equal(2);
    expect(
      rows.bounty.verdicts.map((row: { reportCommitment: string }) => row.reportCommitment),
    ).to.deep.equal([report, report]);
  });
});
