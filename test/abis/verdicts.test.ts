/** Recording Verdicts: who may, when, in which shape, what is matched, and that a later one replaces the earlier. */
import { expect } from 'chai';
import { concat, numberToHex, pad, size, slice, zeroAddress, zeroHash } from 'viem';
import {
  commitment,
  GUARDIANS,
  type HubBench,
  NET_AMOUNT,
  OTHER_SOLVER,
  openHubBench,
  POSTER,
  SOLVER,
  STRANGER,
} from './hubBench.ts';
import { guardian, type Judging, OTHER_WORK, openJudging, WORK } from './judging.ts';
import { refusalOf } from './refusal.ts';
import { award, matchHash, payout, REFUND, type Verdict } from './verdict.ts';

describe('Hub Verdicts', () => {
  let bench: HubBench;
  before(async () => {
    bench = await openHubBench();
  });
  after(() => bench.stop());

  const tally = (judging: Judging, verdict: Verdict) =>
    bench.read('matchingVerdicts', [judging.id, matchHash(verdict)]);

  it('tells a Verdict whole, with the hash that it is matched by', async () => {
    const judging = await openJudging(bench);
    expect(await bench.read('verdictOf', [judging.id, guardian(0)])).to.deep.equal([zeroHash, zeroHash]);
    for (const verdict of [judging.correct, REFUND]) {
      const { events } = await judging.record(0, verdict, commitment('report'));
      const { outcome, winner, submissionCommitment, payoutData } = verdict;
      const said = [outcome, winner, submissionCommitment, payoutData, matchHash(verdict)];
      expect(events).to.deep.equal([
        ['VerdictRecorded', judging.id, guardian(0), commitment('report'), ...said],
      ]);
      expect(await bench.read('verdictOf', [judging.id, guardian(0)])).to.deep.equal([
        matchHash(verdict),
        commitment('report'),
      ]);
    }
  });

  it('opens at the submission deadline and closes at the judging deadline, to the second', async () => {
    const bounty = await bench.bounty();
    const { id, submissionDeadline, judgingDeadlineAt } = bounty;
    const at = (second: bigint) =>
      bench.call(guardian(0), 'recordVerdict', [id, REFUND, commitment('report')], second);
    expect(await refusalOf(at(submissionDeadline - 1n))).to.deep.equal([
      'Hub_JudgingNotStarted',
      id,
      submissionDeadline,
    ]);
    await at(submissionDeadline);
    await at(judgingDeadlineAt - 1n);
    for (const late of [judgingDeadlineAt, judgingDeadlineAt + 1n])
      expect(await refusalOf(at(late))).to.deep.equal(['Hub_JudgingClosed', id, judgingDeadlineAt]);
  });

  it('hears the Guardians of the pinned roster alone, also when another roster is current', async () => {
    const judging = await openJudging(bench, 3);
    await bench.publish(GUARDIANS.slice(3, 5));
    for (const outsider of [guardian(3), POSTER, SOLVER, STRANGER]) {
      const call = bench.call(outsider, 'recordVerdict', [judging.id, REFUND, commitment('report')]);
      expect(await refusalOf(call)).to.deep.equal(['Hub_NotPinnedGuardian', judging.id, outsider]);
    }
    await judging.record(2, REFUND);
    expect(await tally(judging, REFUND)).to.equal(1n);
  });

  it('refuses a Verdict without a report, without an outcome, or on an unknown bounty', async () => {
    const judging = await openJudging(bench);
    const missing = judging.record(0, REFUND, zeroHash);
    expect(await refusalOf(missing)).to.deep.equal(['Hub_ReportCommitmentMissing']);
    const undecided = judging.record(0, { ...REFUND, outcome: 0 });
    expect(await refusalOf(undecided)).to.deep.equal(['Hub_OutcomeInvalid']);
    const unknown = bench.call(guardian(0), 'recordVerdict', [judging.id + 1n, REFUND, commitment('report')]);
    expect(await refusalOf(unknown)).to.deep.equal(['Hub_BountyUnknown', judging.id + 1n]);
  });

  it("refuses an award of anything but the winner's active Submission", async () => {
    const judging = await openJudging(bench);
    const { payoutData } = judging.correct;
    for (const [winner, work] of [
      [SOLVER, OTHER_WORK],
      [OTHER_SOLVER, WORK],
      [STRANGER, WORK],
      [STRANGER, zeroHash],
      [SOLVER, zeroHash],
      [zeroAddress, zeroHash],
    ] as const)
      expect(await refusalOf(judging.record(0, award(winner, work, payoutData)))).to.deep.equal([
        'Hub_SubmissionNotActive',
        judging.id,
        winner,
        work,
      ]);
  });

  it('refuses an award of a Submission that its Solver replaced', async () => {
    await bench.publish(GUARDIANS.slice(0, 3));
    const { id, submissionDeadline, token } = await bench.bounty();
    for (const text of ['draft', 'final']) await bench.call(SOLVER, 'submit', [id, commitment(text)]);
    const record = (text: string, at?: bigint) => {
      const verdict = award(SOLVER, commitment(text), payout(token, NET_AMOUNT));
      return bench.call(guardian(0), 'recordVerdict', [id, verdict, commitment('report')], at);
    };
    const stale = ['Hub_SubmissionNotActive', id, SOLVER, commitment('draft')];
    expect(await refusalOf(record('draft', submissionDeadline))).to.deep.equal(stale);
    expect((await record('final')).events).to.have.length(1);
  });

  it('refuses payout data that is not exactly the token and an amount', async () => {
    const judging = await openJudging(bench);
    const good = judging.correct.payoutData;
    const dirty = concat(['0x01', slice(good, 1)]);
    for (const payoutData of [
      '0x' as const,
      slice(good, 0, 32),
      slice(good, 0, 63),
      concat([good, '0x00']),
      concat([good, zeroHash]),
      payout(judging.token, 0n),
      payout(STRANGER, NET_AMOUNT),
      payout(zeroAddress, NET_AMOUNT),
      concat([pad(judging.token, { dir: 'right' }), numberToHex(NET_AMOUNT, { size: 32 })]),
      dirty,
    ]) {
      const refused = await refusalOf(judging.record(0, award(SOLVER, WORK, payoutData)));
      expect(refused, `${size(payoutData)} bytes`).to.deep.equal(['Hub_PayoutDataInvalid']);
    }
  });

  it('refuses a refund that names a winner, a Submission or a payout', async () => {
    const judging = await openJudging(bench);
    for (const extra of [{ winner: SOLVER }, { submissionCommitment: WORK }])
      expect(await refusalOf(judging.record(0, { ...REFUND, ...extra }))).to.deep.equal([
        'Hub_RefundNamesWinner',
      ]);
    const paying = judging.record(0, { ...REFUND, payoutData: judging.correct.payoutData });
    expect(await refusalOf(paying)).to.deep.equal(['Hub_PayoutDataInvalid']);
  });

  it('counts what matches and moves a Guardian who changes the Verdict; the report never matters', async () => {
    const judging = await openJudging(bench, 5);
    const others = [
      award(OTHER_SOLVER, OTHER_WORK, payout(judging.token, NET_AMOUNT)),
      award(SOLVER, WORK, payout(judging.token, NET_AMOUNT - 1n)),
      REFUND,
    ];
    for (const number of [0, 1, 2]) await judging.record(number, judging.correct);
    for (const [index, other] of others.entries()) {
      await judging.record(0, other);
      expect(await tally(judging, judging.correct)).to.equal(2n);
      expect(await tally(judging, other)).to.equal(1n);
      if (index > 0) expect(await tally(judging, others[index - 1] as Verdict)).to.equal(0n);
    }
    await judging.record(0, judging.correct, commitment('a new report'));
    await judging.record(0, judging.correct, commitment('and another'));
    expect(await tally(judging, judging.correct)).to.equal(3n);
    expect(await bench.read('verdictOf', [judging.id, guardian(0)])).to.deep.equal([
      matchHash(judging.correct),
      commitment('and another'),
    ]);
  });
});
