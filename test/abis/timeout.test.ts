/** Timing out: to the second, only without a majority that can be settled by, the whole escrow back without a fee. */
import { expect } from 'chai';
import { ESCROW, type HubBench, openHubBench, POSTER, SOLVER, STATUS, STRANGER } from './hubBench.ts';
import { openJudging, WORK } from './judging.ts';
import { refusalOf } from './refusal.ts';
import { award, payout, REFUND } from './verdict.ts';

describe('Hub timeout', () => {
  let bench: HubBench;
  before(async () => {
    bench = await openHubBench();
  });
  after(() => bench.stop());

  it('comes at its second and not before, and gives the Poster everything back', async () => {
    const { id, settlementTimeoutAt, token } = await bench.bounty();
    const timeOut = (at?: bigint) => bench.call(STRANGER, 'timeOut', [id], at);
    const early = ['Hub_TimeoutNotReached', id, settlementTimeoutAt];
    expect(await refusalOf(timeOut())).to.deep.equal(early);
    expect(await refusalOf(timeOut(settlementTimeoutAt - 1n))).to.deep.equal(early);
    const { events } = await timeOut(settlementTimeoutAt);
    expect(events).to.deep.equal([
      ['BountyTimedOut', id, POSTER, ESCROW],
      ['BalanceQueued', id, POSTER, token, ESCROW],
    ]);
    expect(await bench.read('bounty', [id])).to.have.property('status', STATUS.timedOut);
    expect(await bench.read('queuedBalance', [POSTER, token])).to.equal(ESCROW);
    for (const call of [
      () => timeOut(),
      () => bench.call(STRANGER, 'settle', [id]),
      () => bench.call(SOLVER, 'submit', [id, WORK]),
    ])
      expect(await refusalOf(call())).to.deep.equal(['Hub_BountyNotOpen', id, STATUS.timedOut]);
  });

  it('gives way to a majority for an award and to one for a refund', async () => {
    for (const refund of [false, true]) {
      const judging = await openJudging(bench, 3);
      for (const number of [0, 1]) await judging.record(number, refund ? REFUND : judging.correct);
      const late = bench.call(POSTER, 'timeOut', [judging.id], judging.settlementTimeoutAt);
      expect(await refusalOf(late)).to.deep.equal(['Hub_MajorityReached', judging.id]);
      const { events } = await bench.call(STRANGER, 'settle', [judging.id]);
      expect(events[0]?.[0]).to.equal(refund ? 'BountyRefunded' : 'BountyAwarded');
    }
  });

  it('comes when the majority was lost again, or agreed on an amount that cannot be paid', async () => {
    const lost = await openJudging(bench, 3);
    for (const number of [0, 1]) await lost.record(number, lost.correct);
    await lost.record(1, REFUND);
    const wrong = await openJudging(bench, 3);
    for (const number of [0, 1, 2])
      await wrong.record(number, award(SOLVER, WORK, payout(wrong.token, ESCROW)));
    for (const { id } of [lost, wrong]) {
      const { events } = await bench.call(STRANGER, 'timeOut', [id], (await bench.now()) + 4_000n);
      expect(events[0]).to.deep.equal(['BountyTimedOut', id, POSTER, ESCROW]);
    }
  });
});
