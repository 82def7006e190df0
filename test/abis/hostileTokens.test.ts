/** Tokens that re-enter, lie, take fees or say nothing: each can spoil its own bounty and touches nobody else's money. */
import { expect } from 'chai';
import { type Abi, type Address, encodeFunctionData, maxUint256, zeroHash } from 'viem';
import { type CompiledContract, compileSolidity } from '../../abis/compileSolidity.ts';
import {
  commitment,
  ESCROW,
  GUARDIANS,
  type HubBench,
  NET_AMOUNT,
  OWNER,
  openHubBench,
  POSTER,
  SOLVER,
  STRANGER,
} from './hubBench.ts';
import { guardian, openJudging } from './judging.ts';
import { refusalOf } from './refusal.ts';
import { award, payout } from './verdict.ts';

const NAMES = ['MischiefToken', 'SkewToken', 'FalseToken', 'SilentToken'] as const;
const NO_PERMIT = { deadline: 0n, v: 27, r: zeroHash, s: zeroHash };

describe('Hub with hostile tokens', () => {
  let bench: HubBench;
  let contracts: Map<string, CompiledContract>;
  before(async function () {
    this.timeout(15_000);
    const compiled = compileSolidity(NAMES.map((name) => `test/abis/contracts/${name}.sol`));
    contracts = new Map(compiled.map((contract) => [contract.contractName, contract]));
    bench = await openHubBench();
  });
  after(() => bench.stop());

  /** A token of that kind, of which the Poster owns and has approved a lot. */
  async function deploy(name: (typeof NAMES)[number]) {
    const { abi, bytecode } = contracts.get(name) as CompiledContract;
    const address = await bench.deploy(OWNER, { abi, bytecode });
    const send = (functionName: string, args: unknown[]) =>
      bench.send(POSTER, address, encodeFunctionData({ abi: abi as Abi, functionName, args }));
    const read = (functionName: string) =>
      bench.client.readContract({ abi: abi as Abi, address, functionName }) as Promise<bigint>;
    await send('mint', [POSTER, ESCROW * 100n]);
    await send('approve', [bench.hub, maxUint256]);
    return { address, send, read };
  }

  const create = async (token: Address) => bench.call(POSTER, 'createBounty', [await bench.terms({ token })]);
  const held = (token: Address) => bench.balanceOf(bench.hub, token);
  const settleFor = async (token: Address) => {
    const judging = await openJudging(bench, 1, { token });
    await judging.record(0, judging.correct);
    await bench.call(STRANGER, 'settle', [judging.id]);
  };

  describe('one that re-enters', () => {
    const reentrant = ['ReentrancyGuardReentrantCall'];
    const claimOf = (token: Address) => bench.encode('claim', [token, token]);

    it('gets nowhere from transferFrom, by creation, permit or claim', async () => {
      const token = await deploy('MischiefToken');
      const terms = await bench.terms({ token: token.address });
      for (const data of [
        bench.encode('createBounty', [terms]),
        bench.encode('createBountyWithPermit', [terms, NO_PERMIT]),
        claimOf(token.address),
      ]) {
        await token.send('arm', [bench.hub, data, true]);
        expect(await refusalOf(create(token.address))).to.deep.equal(reentrant);
      }
    });

    it('cannot count one transfer for two escrows, nor hide its attempt in a permit', async () => {
      const token = await deploy('MischiefToken');
      const terms = await bench.terms({ token: token.address });
      await token.send('mint', [token.address, ESCROW * 10n]);
      await token.send('arm', [bench.hub, bench.encode('createBounty', [terms]), false]);
      await create(token.address);
      await bench.call(POSTER, 'createBountyWithPermit', [
        await bench.terms({ token: token.address }),
        NO_PERMIT,
      ]);
      expect(await token.read('attempts')).to.equal(3n);
      expect(await token.read('successes')).to.equal(0n);
      expect(await held(token.address)).to.equal(2n * ESCROW);
    });

    it('cannot claim twice from transfer, as the winner of its own bounty', async () => {
      const token = await deploy('MischiefToken');
      await bench.publish(GUARDIANS.slice(0, 1));
      const { id, submissionDeadline } = await bench.bounty({ token: token.address });
      await create(token.address);
      const work = commitment('mischief');
      await token.send('execute', [bench.hub, bench.encode('submit', [id, work])]);
      const verdict = award(token.address, work, payout(token.address, NET_AMOUNT));
      const record = [id, verdict, commitment('report')] as const;
      await bench.call(guardian(0), 'recordVerdict', record, submissionDeadline);
      await bench.call(STRANGER, 'settle', [id]);

      const before = await held(token.address);
      const claim = () => token.send('execute', [bench.hub, claimOf(token.address)]);
      await token.send('arm', [bench.hub, claimOf(token.address), true]);
      expect(await refusalOf(claim())).to.deep.equal(reentrant);
      await token.send('arm', [bench.hub, claimOf(token.address), false]);
      await claim();
      expect(await token.read('successes')).to.equal(0n);
      expect(before - (await held(token.address))).to.equal(NET_AMOUNT);
    });
  });

  describe('one that skews what is received', () => {
    it('is refused unless the balance rises by exactly the escrow', async () => {
      const token = await deploy('SkewToken');
      await create(token.address);
      for (const more of [-1n, 1n, -ESCROW, -ESCROW - 7n, ESCROW]) {
        await token.send('skew', [more]);
        const received = more < -ESCROW ? 0n : ESCROW + more;
        expect(await refusalOf(create(token.address))).to.deep.equal([
          'Hub_EscrowMismatch',
          ESCROW,
          received,
        ]);
      }
      expect(await held(token.address)).to.equal(ESCROW);
    });
  });

  describe('one that returns false', () => {
    it('is refused at creation, and at a claim leaves the balance queued until it works again', async () => {
      const token = await deploy('FalseToken');
      const failed = ['SafeERC20FailedOperation', token.address];
      await settleFor(token.address);
      await token.send('fail', [true]);
      expect(await refusalOf(create(token.address))).to.deep.equal(failed);
      const claim = () => bench.call(SOLVER, 'claim', [token.address, SOLVER]);
      expect(await refusalOf(claim())).to.deep.equal(failed);
      expect(await bench.read('queuedBalance', [SOLVER, token.address])).to.equal(NET_AMOUNT);
      await token.send('fail', [false]);
      await claim();
      expect(await bench.balanceOf(SOLVER, token.address)).to.equal(NET_AMOUNT);
    });
  });

  describe('one that returns nothing', () => {
    it('works from creation to claim', async () => {
      const token = await deploy('SilentToken');
      await settleFor(token.address);
      await bench.call(SOLVER, 'claim', [token.address, SOLVER]);
      expect(await bench.balanceOf(SOLVER, token.address)).to.equal(NET_AMOUNT);
    });

    it('counts as approved by its allowance alone when it takes a permit in silence', async () => {
      const token = await deploy('SilentToken');
      const createWithPermit = async (): Promise<readonly unknown[]> => {
        const terms = await bench.terms({ token: token.address });
        return (await bench.call(POSTER, 'createBountyWithPermit', [terms, NO_PERMIT])).events;
      };
      expect((await createWithPermit())[0]).to.include('BountyCreated');
      await token.send('approve', [bench.hub, ESCROW - 1n]);
      const refused = await refusalOf(createWithPermit());
      expect(refused).to.deep.equal(['Hub_PermitRefused', ESCROW - 1n, ESCROW]);
    });
  });
});
