// Anyone can record anyone's public 32 bytes: duplicates in one transaction, one block and one batch of blocks change
// nothing of what they copy, and never stop the index.

import { expect } from 'chai';
import { hubAbi } from '../../abis/hubAbi.ts';
import { localRpc } from '../../server/local/localRpc.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { type Actors, actorsOn, commitmentOf } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { sharedStack } from '../localStack.ts';
import { type BatchContract, deployBatch } from './batchContract.ts';
import { inOneBlock } from './oneBlock.ts';
import { ask } from './readModel.ts';

describe('copycats in the hub subgraph', () => {
  let stack: LocalStack;
  let actors: Actors;
  let clock: Clock;
  let batch: BatchContract;

  before(async function () {
    this.timeout(60_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
    batch = await deployBatch(stack, actors);
  });

  const query = async (text: string) => {
    await clock.indexed();
    return ask(stack.subgraphUrl, text);
  };
  const lower = (address: string): string => address.toLowerCase();

  it('keeps five bounties over one challenge in one transaction apart, each with its Submissions', async () => {
    const specCommitment = commitmentOf('copied in one transaction');
    const commitment = commitmentOf('submitted in one transaction');
    const terms = await actors.bountyTerms({ specCommitment });
    await inOneBlock(stack, actors.client, [() => batch.createMany(terms, 5, commitment)]);
    const { challenge, sealedSubmission } = await query(`{
      challenge(id: "${specCommitment}") { bounties { id submissionCount } }
      sealedSubmission(id: "${commitment}") { submissions { id revision submissionCommitment bounty { id } } } }`);
    expect(challenge.bounties).to.have.length(5);
    for (const { id, submissionCount } of challenge.bounties) {
      expect(submissionCount).to.equal(1);
      expect(sealedSubmission.submissions).to.deep.include({
        id: `${id}-${lower(batch.address)}`,
        revision: 2,
        submissionCommitment: commitment,
        bounty: { id },
      });
    }
    expect(sealedSubmission.submissions).to.have.length(5);
  });

  it('does so in one block, and in blocks that are indexed as one batch', async function () {
    this.timeout(30_000);
    const specCommitment = commitmentOf('copied in one block');
    const commitment = commitmentOf('submitted in one block');
    const terms = await actors.bountyTerms({ specCommitment });
    const create = () => batch.createMany(terms, 2, commitment);
    await inOneBlock(stack, actors.client, [create, create]);
    await inOneBlock(stack, actors.client, [create]);
    await inOneBlock(stack, actors.client, [create, create]);
    const { challenge, sealedSubmission } = await query(`{
      challenge(id: "${specCommitment}") { bounties { id } }
      sealedSubmission(id: "${commitment}") { submissions { id } } }`);
    expect(challenge.bounties).to.have.length(10);
    expect(sealedSubmission.submissions).to.have.length(10);
  });

  it('leaves a Solver what is theirs when another records the same commitment in the same block', async () => {
    const { bountyId } = await actors.createBounty();
    const commitment = commitmentOf(`copied in bounty ${bountyId}`);
    const [author, copycat] = actors.solvers;
    const submit = (solver: typeof author, value: `0x${string}`) => () =>
      actors.client.writeContract({
        address: stack.hubAddress,
        abi: hubAbi,
        functionName: 'submit',
        args: [bountyId, value],
        account: solver!.account,
        gas: 200_000n,
      });
    await inOneBlock(stack, actors.client, [
      submit(author, commitment),
      submit(copycat, commitment),
      submit(copycat, commitmentOf('their own, later')),
    ]);
    const rows = await query(`{
      author: submission(id: "${bountyId}-${lower(author!.address)}") { submissionCommitment revision }
      copycat: submission(id: "${bountyId}-${lower(copycat!.address)}") { submissionCommitment revision }
      bountySubmission(id: "${bountyId}-${commitment}") { submissionCommitment }
      bounty(id: "${bountyId}") { submissionCount bountySubmissions { id } submissionRevisions { id } } }`);
    expect(rows).to.deep.include({
      author: { submissionCommitment: commitment, revision: 1 },
      copycat: { submissionCommitment: commitmentOf('their own, later'), revision: 2 },
      bountySubmission: { submissionCommitment: commitment },
    });
    expect(rows.bounty.submissionCount).to.equal(2);
    expect(rows.bounty.bountySubmissions).to.have.length(2);
    expect(rows.bounty.submissionRevisions).to.have.length(3);
  });

  it('keeps one report of two Guardians apart, in one block', async () => {
    const bounty = await actors.createBounty();
    await clock.warpTo(Number(bounty.submissionDeadline));
    const report = commitmentOf(`one report for two on ${bounty.bountyId}`);
    const record = (guardian: (typeof actors.guardians)[number]) => () =>
      actors.client.writeContract({
        address: stack.hubAddress,
        abi: hubAbi,
        functionName: 'recordVerdict',
        args: [bounty.bountyId, actors.refund, report],
        account: guardian.account,
        gas: 300_000n,
      });
    await inOneBlock(stack, actors.client, actors.guardians.slice(0, 2).map(record));
    const rows = await query(`{ report(id: "${report}") { verdictRevisions { guardian } }
      bounty(id: "${bounty.bountyId}") { leadingMatching verdicts { guardian reportCommitment } } }`);
    const guardians = actors.guardians.slice(0, 2).map(({ address }) => lower(address));
    expect(rows.report.verdictRevisions.map((row: { guardian: string }) => row.guardian)).to.have.members(
      guardians,
    );
    expect(rows.bounty.leadingMatching).to.equal(2);
    expect(rows.bounty.verdicts).to.have.deep.members(
      guardians.map((guardian) => ({ guardian, reportCommitment: report })),
    );
  });

  it('forgets what a reorg dropped, and takes the same once more', async function () {
    this.timeout(30_000);
    const specCommitment = commitmentOf('dropped by a reorg');
    const commitment = commitmentOf('submission dropped by a reorg');
    const terms = await actors.bountyTerms({ specCommitment });
    const state = `{ hubState(id: "hub") { bountyCount } challenge(id: "${specCommitment}") { bounties { id } }
      sealedSubmission(id: "${commitment}") { id } }`;
    const before = await query(state);
    const create = () => batch.createMany(terms, 3, commitment);
    await inOneBlock(stack, actors.client, [create]);
    const seen = await query(state);
    expect(seen.challenge.bounties).to.have.length(3);

    await localRpc(stack.rpcUrl).call('anvil_reorg', [1, []]);
    await clock.mine();
    expect(await query(state)).to.deep.equal(before);
    expect(before.challenge).to.equal(null);

    await inOneBlock(stack, actors.client, [create]);
    expect(await query(state)).to.deep.equal(seen);
    const { _meta } = await ask(stack.subgraphUrl, '{ _meta { hasIndexingErrors } }');
    expect(_meta.hasIndexingErrors).to.equal(false);
  });
});
