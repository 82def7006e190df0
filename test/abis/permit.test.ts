/** ERC-2612 in the one-transaction creation: a permit works once, a front-run one does no harm, a bad one is refused. */
import { expect } from 'chai';
import { type Address, encodeFunctionData, type Hex, parseSignature } from 'viem';
import { testTokenAbi } from '../../abis/testTokenAbi.ts';
import { type BountyTerms, ESCROW, type HubBench, localAccount, openHubBench, STRANGER } from './hubBench.ts';
import { refusalOf } from './refusal.ts';

/** A Poster who has funds and has approved nothing. */
const funder = localAccount(7);

describe('Hub creation with a permit', () => {
  let bench: HubBench;
  before(async () => {
    bench = await openHubBench();
    await bench.callToken(funder.address, 'mint', [funder.address, ESCROW * 10n]);
  });
  after(() => bench.stop());

  const tokenRead = <N extends 'nonces' | 'allowance'>(functionName: N, args: readonly Address[]) =>
    bench.client.readContract({ abi: testTokenAbi, address: bench.token, functionName, args } as never);

  async function signPermit(spender: Address, value: bigint, seconds = 1000n) {
    const deadline = (await bench.now()) + seconds;
    const signature = await funder.signTypedData({
      domain: { name: 'Test Token', version: '1', chainId: 31337, verifyingContract: bench.token },
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: {
        owner: funder.address,
        spender,
        value,
        nonce: (await tokenRead('nonces', [funder.address])) as bigint,
        deadline,
      },
    });
    const { r, s, yParity } = parseSignature(signature);
    return { deadline, v: 27 + yParity, r, s };
  }

  type Permit = { deadline: bigint; v: number; r: Hex; s: Hex };
  const create = (terms: BountyTerms, permit: Permit) =>
    bench.call(funder.address, 'createBountyWithPermit', [terms, permit]);

  it('creates in one transaction and leaves no allowance', async () => {
    const before = await bench.balanceOf(funder.address);
    const { events } = await create(await bench.terms(), await signPermit(bench.hub, ESCROW));
    expect(events[0]?.slice(0, 3)).to.deep.equal(['BountyCreated', 1n, funder.address]);
    expect(await bench.balanceOf(funder.address)).to.equal(before - ESCROW);
    expect(await tokenRead('allowance', [funder.address, bench.hub])).to.equal(0n);
  });

  it('goes through when somebody used the permit first', async () => {
    const permit = await signPermit(bench.hub, ESCROW);
    const args = [funder.address, bench.hub, ESCROW, permit.deadline, permit.v, permit.r, permit.s] as const;
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'permit', args });
    await bench.send(STRANGER, bench.token, data);
    const { events } = await create(await bench.terms(), permit);
    expect(events[0]?.[0]).to.equal('BountyCreated');
    expect(await refusalOf(create(await bench.terms(), permit))).to.deep.equal([
      'Hub_PermitRefused',
      0n,
      ESCROW,
    ]);
  });

  it('refuses a permit for another spender, for less, or past its deadline', async () => {
    for (const permit of [
      await signPermit(STRANGER, ESCROW),
      await signPermit(bench.hub, ESCROW - 1n),
      await signPermit(bench.hub, ESCROW, -1n),
    ])
      expect(await refusalOf(create(await bench.terms(), permit))).to.deep.equal([
        'Hub_PermitRefused',
        0n,
        ESCROW,
      ]);
  });

  it('refuses what the plain creation refuses, tokens without code first', async () => {
    const permit = await signPermit(bench.hub, ESCROW);
    const noCode = await bench.terms({ token: STRANGER });
    expect(await refusalOf(create(noCode, permit))).to.deep.equal(['Hub_TokenInvalid', STRANGER]);
    const terms = await bench.terms({ maxFeeBps: 0 });
    expect(await refusalOf(create(terms, permit))).to.deep.equal(['Hub_FeeChanged', 0, 250]);
  });
});
