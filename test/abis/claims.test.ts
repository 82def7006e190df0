/** Claims: the whole queued balance, once, to whom the owner says, at any time, in each token by itself. */
import { expect } from 'chai';
import { zeroAddress } from 'viem';
import {
  compiled,
  ESCROW,
  FEE_AMOUNT,
  type HubBench,
  NET_AMOUNT,
  OWNER,
  openHubBench,
  POSTER,
  SOLVER,
  STRANGER,
  TREASURY,
} from './hubBench.ts';
import { openJudging } from './judging.ts';
import { refusalOf } from './refusal.ts';
import { REFUND } from './verdict.ts';

const HUNDRED_YEARS = 100n * 365n * 24n * 3600n;

describe('Hub claims', () => {
  let bench: HubBench;
  beforeEach(async () => {
    bench = await openHubBench();
  });
  afterEach(() => bench.stop());

  async function ended(refund: boolean): Promise<void> {
    const judging = await openJudging(bench, 1);
    await judging.record(0, refund ? REFUND : judging.correct);
    await bench.call(STRANGER, 'settle', [judging.id]);
  }

  it('pays winner, treasury and refunded Poster a hundred years later, sums over bounties, and is empty then', async () => {
    await ended(false);
    await ended(false);
    await ended(true);
    const posterBefore = await bench.balanceOf(POSTER);
    const at = (await bench.now()) + HUNDRED_YEARS;
    const shares = [
      [SOLVER, 2n * NET_AMOUNT],
      [TREASURY, 2n * FEE_AMOUNT],
      [POSTER, ESCROW],
    ] as const;
    for (const [index, [account, amount]] of shares.entries()) {
      const { events } = await bench.call(account, 'claim', [bench.token, account], at + BigInt(index));
      expect(events).to.deep.equal([['BalanceClaimed', account, bench.token, account, amount]]);
      expect(await bench.read('queuedBalance', [account, bench.token])).to.equal(0n);
      expect(await bench.balanceOf(account)).to.equal(account === POSTER ? posterBefore + amount : amount);
      const again = bench.call(account, 'claim', [bench.token, account]);
      expect(await refusalOf(again)).to.deep.equal(['Hub_NothingToClaim', account, bench.token]);
    }
    expect(await bench.balanceOf(bench.hub)).to.equal(0n);
  });

  it('sends to another account when its owner says so, and to nobody when a stranger does', async () => {
    await ended(false);
    const foreign = bench.call(STRANGER, 'claim', [bench.token, STRANGER]);
    expect(await refusalOf(foreign)).to.deep.equal(['Hub_NothingToClaim', STRANGER, bench.token]);
    await bench.call(SOLVER, 'claim', [bench.token, STRANGER]);
    expect(await bench.balanceOf(STRANGER)).to.equal(NET_AMOUNT);
    expect(await bench.balanceOf(SOLVER)).to.equal(0n);
  });

  it('refuses to send to nowhere or to the Hub itself, and keeps the balance', async () => {
    await ended(false);
    for (const to of [zeroAddress, bench.hub])
      expect(await refusalOf(bench.call(SOLVER, 'claim', [bench.token, to]))).to.deep.equal([
        'Hub_ReceiverInvalid',
        to,
      ]);
    expect(await bench.read('queuedBalance', [SOLVER, bench.token])).to.equal(NET_AMOUNT);
  });

  it('keeps tokens apart, and open escrow out of reach', async () => {
    const other = await bench.deploy(OWNER, compiled('TestToken'));
    await bench.callToken(POSTER, 'mint', [POSTER, ESCROW], other);
    await bench.callToken(POSTER, 'approve', [bench.hub, ESCROW], other);
    await bench.bounty({ token: other });
    await ended(false);
    const wrong = bench.call(SOLVER, 'claim', [other, SOLVER]);
    expect(await refusalOf(wrong)).to.deep.equal(['Hub_NothingToClaim', SOLVER, other]);
    await bench.call(SOLVER, 'claim', [bench.token, SOLVER]);
    expect(await bench.balanceOf(bench.hub, other)).to.equal(ESCROW);
  });
});
