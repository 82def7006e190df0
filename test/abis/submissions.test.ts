/** Recording Submissions: overwriting, copies, and the deadline to the second. */
import { expect } from 'chai';
import { zeroHash } from 'viem';
import { commitment, type HubBench, OTHER_SOLVER, openHubBench, SOLVER } from './hubBench.ts';
import { refusalOf } from './refusal.ts';

describe('Hub Submissions', () => {
  let bench: HubBench;
  before(async () => {
    bench = await openHubBench();
  });
  after(() => bench.stop());

  it("overwrites a Solver's own Submission and nobody else's", async () => {
    const [one, other] = [await bench.bounty(), await bench.bounty()];
    expect(await bench.read('submissionOf', [one.id, SOLVER])).to.equal(zeroHash);
    for (const text of ['first', 'second']) {
      const { events } = await bench.call(SOLVER, 'submit', [one.id, commitment(text)]);
      expect(events).to.deep.equal([['SubmissionRecorded', one.id, SOLVER, commitment(text)]]);
      expect(await bench.read('submissionOf', [one.id, SOLVER])).to.equal(commitment(text));
    }
    // A commitment is public: a copycat may record it too, and changes nothing for the first.
    await bench.call(OTHER_SOLVER, 'submit', [one.id, commitment('second')]);
    await bench.call(OTHER_SOLVER, 'submit', [one.id, commitment('third')]);
    expect(await bench.read('submissionOf', [one.id, SOLVER])).to.equal(commitment('second'));
    expect(await bench.read('submissionOf', [one.id, OTHER_SOLVER])).to.equal(commitment('third'));
    expect(await bench.read('submissionOf', [other.id, SOLVER])).to.equal(zeroHash);
  });

  it('refuses the zero commitment and unknown bounties', async () => {
    const { id } = await bench.bounty();
    const missing = bench.call(SOLVER, 'submit', [id, zeroHash]);
    expect(await refusalOf(missing)).to.deep.equal(['Hub_SubmissionCommitmentMissing']);
    const unknown = bench.call(SOLVER, 'submit', [id + 1n, commitment('work')]);
    expect(await refusalOf(unknown)).to.deep.equal(['Hub_BountyUnknown', id + 1n]);
  });

  it('closes at the deadline, to the second', async () => {
    const { id, submissionDeadline } = await bench.bounty();
    await bench.call(SOLVER, 'submit', [id, commitment('in time')], submissionDeadline - 1n);
    for (const at of [submissionDeadline, submissionDeadline + 1n]) {
      const late = bench.call(SOLVER, 'submit', [id, commitment('late')], at);
      expect(await refusalOf(late)).to.deep.equal(['Hub_SubmissionsClosed', id, submissionDeadline]);
    }
    expect(await bench.read('submissionOf', [id, SOLVER])).to.equal(commitment('in time'));
  });
});
