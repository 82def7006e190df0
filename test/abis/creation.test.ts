/** Creating a bounty: what is fixed and told, every refusal, and terms that changed between preparing and mining. */
import { expect } from 'chai';
import { getAddress, maxUint256, numberToHex, zeroAddress, zeroHash } from 'viem';
import { guardiansOf } from './guardians.ts';
import {
  type BountyTerms,
  commitment,
  compiled,
  ESCROW,
  FEE_BPS,
  GUARDIANS,
  type HubBench,
  OWNER,
  openHubBench,
  POSTER,
  STATUS,
  STRANGER,
  TREASURY,
} from './hubBench.ts';
import { refusalOf } from './refusal.ts';

describe('Hub bounty creation', () => {
  let bench: HubBench;
  before(async () => {
    bench = await openHubBench();
  });
  after(() => bench.stop());

  const refused = async (changes: Partial<BountyTerms>) =>
    refusalOf(bench.call(POSTER, 'createBounty', [await bench.terms(changes)]));

  it('counts ids from 1, pulls exactly the escrow, fixes and tells every term', async () => {
    for (const id of [1n, 2n]) {
      const [hubBefore, posterBefore] = [await bench.balanceOf(bench.hub), await bench.balanceOf(POSTER)];
      const terms = await bench.terms({ specCommitment: commitment(`challenge ${id}`) });
      const { events } = await bench.call(POSTER, 'createBounty', [terms]);
      const { specCommitment, token, amount, submissionDeadline, judgingDeadlineAt, settlementTimeoutAt } =
        terms;
      const deadlines = [submissionDeadline, judgingDeadlineAt, settlementTimeoutAt];
      const pinned = [terms.guardianRosterHash, FEE_BPS, TREASURY];
      expect(events).to.deep.equal([
        ['BountyCreated', id, POSTER, specCommitment, token, amount, ...deadlines, ...pinned],
      ]);
      const { maxFeeBps: _, ...kept } = terms;
      expect(await bench.read('bounty', [id])).to.deep.equal({
        ...kept,
        poster: POSTER,
        status: STATUS.open,
        feeBps: FEE_BPS,
        treasury: TREASURY,
        winner: zeroAddress,
        awardedSubmissionCommitment: zeroHash,
      });
      expect(await bench.read('bountyCount', [])).to.equal(id);
      expect(await bench.balanceOf(bench.hub)).to.equal(hubBefore + ESCROW);
      expect(await bench.balanceOf(POSTER)).to.equal(posterBefore - ESCROW);
    }
  });

  it('knows no bounty 0 and none beyond the count', async () => {
    for (const id of [0n, 1_000n, maxUint256]) {
      const failure = await bench.read('bounty', [id]).then(String, (error: Error) => error.message);
      expect(failure).to.match(new RegExp(`Hub_BountyUnknown\\(uint256 bountyId\\)\\s+\\(${id}\\)`));
      expect(await refusalOf(bench.call(POSTER, 'settle', [id]))).to.deep.equal(['Hub_BountyUnknown', id]);
    }
  });

  it('refuses terms that say nothing: no challenge, no escrow, no token', async () => {
    expect(await refused({ specCommitment: zeroHash })).to.deep.equal(['Hub_SpecCommitmentMissing']);
    expect(await refused({ amount: 0n })).to.deep.equal(['Hub_AmountZero']);
    for (const token of [zeroAddress, STRANGER])
      expect(await refused({ token })).to.deep.equal(['Hub_TokenInvalid', token]);
  });

  it('refuses deadlines that do not ascend strictly', async () => {
    const {
      submissionDeadline: first,
      judgingDeadlineAt: second,
      settlementTimeoutAt: third,
    } = await bench.terms();
    for (const [submissionDeadline, judgingDeadlineAt, settlementTimeoutAt] of [
      [second, second, third],
      [first, third, third],
      [second, first, third],
      [first, third, second],
    ] as const)
      expect(await refused({ submissionDeadline, judgingDeadlineAt, settlementTimeoutAt })).to.deep.equal([
        'Hub_DeadlinesNotAscending',
        submissionDeadline,
        judgingDeadlineAt,
        settlementTimeoutAt,
      ]);
  });

  it('takes a submission deadline one second ahead of its block, not one at it or behind it', async () => {
    for (const late of [0n, 1n]) {
      const terms = await bench.terms();
      const at = terms.submissionDeadline + late;
      expect(await refusalOf(bench.call(POSTER, 'createBounty', [terms], at))).to.deep.equal([
        'Hub_DeadlineInPast',
        terms.submissionDeadline,
        at,
      ]);
    }
    const terms = await bench.terms();
    const { events } = await bench.call(POSTER, 'createBounty', [terms], terms.submissionDeadline - 1n);
    expect(events).to.have.length(1);
  });

  it('refuses a roster that is no longer current, and pins the one that is', async () => {
    const prepared = await bench.terms();
    const current = await bench.publish(GUARDIANS.slice(0, 2));
    const mined = bench.call(POSTER, 'createBounty', [prepared]);
    expect(await refusalOf(mined)).to.deep.equal(['Hub_RosterChanged', prepared.guardianRosterHash, current]);

    const { id } = await bench.bounty();
    await bench.publish(GUARDIANS.slice(0, 3));
    expect(await bench.read('bounty', [id])).to.have.property('guardianRosterHash', current);
  });

  it('refuses every roster, zero too, before the first is published', async () => {
    const hub = await bench.deploy(OWNER, compiled('Hub'), [OWNER, FEE_BPS, TREASURY]);
    const terms = await bench.terms({ guardianRosterHash: zeroHash });
    const data = bench.encode('createBounty', [terms]);
    expect(await refusalOf(bench.send(POSTER, hub, data))).to.deep.equal([
      'Hub_RosterChanged',
      zeroHash,
      zeroHash,
    ]);
  });

  it('refuses a fee that rose above what the Poster agreed to; a lower one is welcome', async () => {
    const prepared = await bench.terms();
    await bench.call(OWNER, 'setFeePolicy', [FEE_BPS + 1, TREASURY]);
    const mined = bench.call(POSTER, 'createBounty', [prepared]);
    expect(await refusalOf(mined)).to.deep.equal(['Hub_FeeChanged', FEE_BPS, FEE_BPS + 1]);

    await bench.call(OWNER, 'setFeePolicy', [FEE_BPS - 1, STRANGER]);
    const { id } = await bench.bounty();
    await bench.call(OWNER, 'setFeePolicy', [FEE_BPS, TREASURY]);
    expect(await bench.read('bounty', [id])).to.include({ feeBps: FEE_BPS - 1, treasury: STRANGER });
  });

  it('refuses when the escrow is not there or not approved', async () => {
    const terms = await bench.terms();
    expect(await refusalOf(bench.call(STRANGER, 'createBounty', [terms]))).to.deep.equal([
      'ERC20InsufficientAllowance',
      bench.hub,
      0n,
      ESCROW,
    ]);
    await bench.callToken(STRANGER, 'approve', [bench.hub, ESCROW]);
    expect(await refusalOf(bench.call(STRANGER, 'createBounty', [terms]))).to.deep.equal([
      'ERC20InsufficientBalance',
      STRANGER,
      0n,
      ESCROW,
    ]);
  });

  it('costs the same with a roster of 1 and one of 100', async () => {
    const gasWith = async (size: number): Promise<bigint> => {
      const accounts = Array.from({ length: size }, (_, index) =>
        getAddress(numberToHex(index + 1, { size: 20 })),
      );
      await bench.publish(guardiansOf(accounts));
      return (await bench.call(POSTER, 'createBounty', [await bench.terms()])).gasUsed;
    };
    const [one, hundred] = [await gasWith(1), await gasWith(100)];
    // What is left is the price of zero bytes in the roster's hash: 12 gas each.
    expect(Math.abs(Number(one - hundred))).to.be.lessThan(100);
  });
});
