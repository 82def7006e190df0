/** Settlement: two thirds of every roster size, majorities that come and go, the fee, and what is told in which order. */
import { expect } from 'chai';
import {
  commitment,
  ESCROW,
  FEE_AMOUNT,
  FEE_BPS,
  type HubBench,
  NET_AMOUNT,
  OTHER_SOLVER,
  OWNER,
  openHubBench,
  POSTER,
  SOLVER,
  STATUS,
  STRANGER,
  TREASURY,
} from './hubBench.ts';
import { guardian, type Judging, OTHER_WORK, openJudging, WORK } from './judging.ts';
import { refusalOf } from './refusal.ts';
import { award, matchHash, payout, REFUND } from './verdict.ts';

describe('Hub settlement', () => {
  let bench: HubBench;
  before(async () => {
    bench = await openHubBench();
  });
  after(() => bench.stop());

  const settle = ({ id }: Judging) => bench.call(STRANGER, 'settle', [id]);
  const noMajority = async (judging: Judging) =>
    expect(await refusalOf(settle(judging))).to.deep.equal(['Hub_NoMajority', judging.id]);
  const queued = (account: `0x${string}`) =>
    bench.read('queuedBalance', [account, bench.token]) as Promise<bigint>;

  // Two thirds, rounded up, by hand.
  for (const [size, threshold] of [
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [5, 4],
    [6, 4],
    [7, 5],
  ] as const)
    it(`needs ${threshold} of ${size}`, async () => {
      const judging = await openJudging(bench, size);
      for (let number = 0; number < threshold; number++) {
        await noMajority(judging);
        await judging.record(number, judging.correct);
      }
      // Those who disagree change nothing any more.
      for (let number = threshold; number < size; number++) await judging.record(number, REFUND);
      const { events } = await settle(judging);
      expect(events[0]?.slice(-2)).to.deep.equal([BigInt(threshold), BigInt(size)]);
    });

  it('awards: tells it, then queues the net amount and the fee, rounded down', async () => {
    const judging = await openJudging(bench, 4);
    for (const number of [0, 1, 2, 3]) await judging.record(number, judging.correct);
    const [winnerBefore, treasuryBefore] = [await queued(SOLVER), await queued(TREASURY)];
    const heldBefore = await bench.balanceOf(bench.hub);
    const { events } = await settle(judging);
    const { id, token } = judging;
    expect(NET_AMOUNT + FEE_AMOUNT).to.equal(ESCROW);
    expect(events).to.deep.equal([
      ['BountyAwarded', id, SOLVER, WORK, NET_AMOUNT, FEE_AMOUNT, matchHash(judging.correct), 4n, 4n],
      ['BalanceQueued', id, SOLVER, token, NET_AMOUNT],
      ['BalanceQueued', id, TREASURY, token, FEE_AMOUNT],
    ]);
    expect(await bench.read('bounty', [id])).to.include({
      status: STATUS.awarded,
      winner: SOLVER,
      awardedSubmissionCommitment: WORK,
    });
    expect((await queued(SOLVER)) - winnerBefore).to.equal(NET_AMOUNT);
    expect((await queued(TREASURY)) - treasuryBefore).to.equal(FEE_AMOUNT);
    expect(await bench.balanceOf(bench.hub)).to.equal(heldBefore);
  });

  it('refunds the whole escrow without a fee', async () => {
    const judging = await openJudging(bench, 3);
    for (const number of [0, 1]) await judging.record(number, REFUND);
    const before = await queued(POSTER);
    const { events } = await settle(judging);
    expect(events).to.deep.equal([
      ['BountyRefunded', judging.id, POSTER, ESCROW, matchHash(REFUND), 2n, 3n],
      ['BalanceQueued', judging.id, POSTER, judging.token, ESCROW],
    ]);
    expect(await bench.read('bounty', [judging.id])).to.have.property('status', STATUS.refunded);
    expect((await queued(POSTER)) - before).to.equal(ESCROW);
  });

  it('queues nothing for the treasury when the fee rounds down to zero, or is zero', async () => {
    // 250 basis points of 39 units are 0.975 units.
    for (const [feeBps, amount] of [
      [FEE_BPS, 39n],
      [0, ESCROW],
    ] as const) {
      await bench.call(OWNER, 'setFeePolicy', [feeBps, TREASURY]);
      const judging = await openJudging(bench, 1, { amount });
      await judging.record(0, award(SOLVER, WORK, payout(judging.token, amount)));
      const { events } = await settle(judging);
      expect(events.map(([name]) => name)).to.deep.equal(['BountyAwarded', 'BalanceQueued']);
      expect(events[0]?.slice(4, 6)).to.deep.equal([amount, 0n]);
    }
    await bench.call(OWNER, 'setFeePolicy', [FEE_BPS, TREASURY]);
  });

  it('keeps the fee and the treasury of the creation', async () => {
    const judging = await openJudging(bench, 1);
    await bench.call(OWNER, 'setFeePolicy', [1000, STRANGER]);
    await judging.record(0, judging.correct);
    const { events } = await settle(judging);
    expect(events.at(-1)).to.deep.equal(['BalanceQueued', judging.id, TREASURY, judging.token, FEE_AMOUNT]);
    await bench.call(OWNER, 'setFeePolicy', [FEE_BPS, TREASURY]);
  });

  it('takes matching Verdicts whose reports all differ, and no others', async () => {
    const judging = await openJudging(bench, 3);
    const near = [
      award(OTHER_SOLVER, OTHER_WORK, judging.correct.payoutData),
      award(SOLVER, WORK, payout(judging.token, NET_AMOUNT - 1n)),
      REFUND,
    ];
    await judging.record(0, judging.correct, commitment('one report'));
    for (const other of near) {
      await judging.record(1, other, commitment('one report'));
      await noMajority(judging);
    }
    await judging.record(1, judging.correct, commitment('another report'));
    expect((await settle(judging)).events[0]?.[0]).to.equal('BountyAwarded');
  });

  it('never settles by an amount that is not the whole net amount, however many agree', async () => {
    const judging = await openJudging(bench, 3);
    for (const amount of [ESCROW, NET_AMOUNT - 1n, NET_AMOUNT + 1n, 2n ** 256n - 1n]) {
      for (const number of [0, 1, 2])
        await judging.record(number, award(SOLVER, WORK, payout(judging.token, amount)));
      await noMajority(judging);
    }
    for (const number of [0, 1]) await judging.record(number, judging.correct);
    expect((await settle(judging)).events[0]?.slice(4, 6)).to.deep.equal([NET_AMOUNT, FEE_AMOUNT]);
  });

  it('loses a majority when a Guardian leaves it, and finds it or another one again', async () => {
    const judging = await openJudging(bench, 4);
    for (const number of [0, 1, 2]) await judging.record(number, judging.correct);
    await judging.record(2, REFUND);
    await noMajority(judging);
    await judging.record(2, judging.correct);
    await judging.record(0, award(SOLVER, WORK, payout(judging.token, 1n)));
    await noMajority(judging);
    for (const number of [0, 1]) await judging.record(number, REFUND);
    await noMajority(judging);
    await judging.record(2, REFUND);
    expect((await settle(judging)).events[0]?.slice(0, 2)).to.deep.equal(['BountyRefunded', judging.id]);
  });

  it('keeps a majority that is larger than needed when one leaves it, and counts who is left', async () => {
    const judging = await openJudging(bench, 4);
    for (const number of [0, 1, 2, 3]) await judging.record(number, judging.correct);
    await judging.record(3, REFUND);
    expect((await settle(judging)).events[0]?.slice(-2)).to.deep.equal([3n, 4n]);
  });

  it('settles at any time after the majority, also past the timeout, and only once', async () => {
    const judging = await openJudging(bench, 1);
    await judging.record(0, judging.correct);
    await bench.call(STRANGER, 'settle', [judging.id], judging.settlementTimeoutAt + 1_000n);
    const closed = ['Hub_BountyNotOpen', judging.id, STATUS.awarded];
    expect(await refusalOf(settle(judging))).to.deep.equal(closed);
  });

  it('accepts nothing for a bounty that has ended', async () => {
    for (const [verdictOf, status] of [
      [(judging: Judging) => judging.correct, STATUS.awarded],
      [() => REFUND, STATUS.refunded],
    ] as const) {
      const judging = await openJudging(bench, 1);
      await judging.record(0, verdictOf(judging));
      await settle(judging);
      const { id } = judging;
      for (const call of [
        () => judging.record(0, REFUND),
        () => bench.call(SOLVER, 'submit', [id, WORK]),
        () => bench.call(guardian(0), 'settle', [id]),
        () => bench.call(POSTER, 'timeOut', [id], judging.settlementTimeoutAt),
      ])
        expect(await refusalOf(call())).to.deep.equal(['Hub_BountyNotOpen', id, status]);
    }
  });
});
