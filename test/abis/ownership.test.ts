/** Deployment, the fee policy and the owner: what is told in events, what is refused, and that the Hub keeps an owner. */
import { expect } from 'chai';
import { zeroAddress } from 'viem';
import {
  compiled,
  FEE_BPS,
  type HubBench,
  OWNER,
  openHubBench,
  POSTER,
  STRANGER,
  TREASURY,
} from './hubBench.ts';
import { refusalOf } from './refusal.ts';

describe('Hub ownership and fee policy', () => {
  let bench: HubBench;
  before(async () => {
    bench = await openHubBench();
  });
  after(() => bench.stop());

  it('starts with the fee policy of its deployment, and tells so in an event', async () => {
    expect(await bench.read('feePolicy', [])).to.deep.equal([FEE_BPS, TREASURY]);
    const events = await bench.client.getContractEvents({
      abi: bench.hubAbi,
      address: bench.hub,
      eventName: 'FeePolicyUpdated',
      fromBlock: 0n,
    });
    expect(events.map((event) => event.args)).to.deep.equal([{ feeBps: FEE_BPS, treasury: TREASURY }]);
  });

  it('is not deployed without an owner, without a treasury, or with too high a fee', async () => {
    const deploy = (...args: unknown[]) => refusalOf(bench.deploy(STRANGER, compiled('Hub'), args));
    expect(await deploy(zeroAddress, 0, TREASURY)).to.deep.equal(['OwnableInvalidOwner', zeroAddress]);
    expect(await deploy(OWNER, 0, zeroAddress)).to.deep.equal(['Hub_TreasuryMissing']);
    expect(await deploy(OWNER, 1001, TREASURY)).to.deep.equal(['Hub_FeeTooHigh', 1001, 1000]);
  });

  it('changes the fee policy for the owner alone, up to ten percent, always with a treasury', async () => {
    for (const [feeBps, treasury] of [
      [1000, STRANGER],
      [0, POSTER],
      [FEE_BPS, TREASURY],
    ] as const) {
      const { events } = await bench.call(OWNER, 'setFeePolicy', [feeBps, treasury]);
      expect(events).to.deep.equal([['FeePolicyUpdated', feeBps, treasury]]);
      expect(await bench.read('feePolicy', [])).to.deep.equal([feeBps, treasury]);
    }
    const refused = (from: typeof OWNER, feeBps: number, treasury: typeof OWNER) =>
      refusalOf(bench.call(from, 'setFeePolicy', [feeBps, treasury]));
    expect(await refused(OWNER, 1001, TREASURY)).to.deep.equal(['Hub_FeeTooHigh', 1001, 1000]);
    expect(await refused(OWNER, 0, zeroAddress)).to.deep.equal(['Hub_TreasuryMissing']);
    expect(await refused(STRANGER, 0, TREASURY)).to.deep.equal(['OwnableUnauthorizedAccount', STRANGER]);
  });

  it('hands ownership over in two steps and never gives it up', async () => {
    await bench.call(OWNER, 'transferOwnership', [STRANGER]);
    expect(await bench.read('owner', [])).to.equal(OWNER);
    await bench.call(STRANGER, 'acceptOwnership', []);
    expect(await bench.read('owner', [])).to.equal(STRANGER);
    await bench.call(STRANGER, 'transferOwnership', [OWNER]);
    await bench.call(OWNER, 'acceptOwnership', []);

    const renounce = (from: typeof OWNER) => refusalOf(bench.renounceOwnership(from));
    expect(await renounce(OWNER)).to.deep.equal(['Hub_OwnerRequired']);
    expect(await renounce(STRANGER)).to.deep.equal(['OwnableUnauthorizedAccount', STRANGER]);
    expect(await bench.read('owner', [])).to.equal(OWNER);
  });
});
