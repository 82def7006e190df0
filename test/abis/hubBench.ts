/** A Hub, a token and named accounts on a chain of their own: the bench that every test of the Hub works at. */
import { readFileSync } from 'node:fs';
import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint256,
  toHex,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { hubAbi } from '../../abis/hubAbi.ts';
import { testTokenAbi } from '../../abis/testTokenAbi.ts';
import { LOCAL_MNEMONIC } from '../../server/local/chain.ts';
import { type Guardian, guardiansOf } from './guardians.ts';
import { type Mined, openMinedChain } from './minedChain.ts';

type WriteName<A extends Abi> = ContractFunctionName<A, 'nonpayable'>;
type WriteArgs<A extends Abi, N extends WriteName<A>> = ContractFunctionArgs<A, 'nonpayable', N>;

/** The struct `IHub.BountyTerms`. */
export type BountyTerms = WriteArgs<typeof hubAbi, 'createBounty'>[0];

/** `IHub.Status` by number. */
export const STATUS = { none: 0, open: 1, awarded: 2, refunded: 3, timedOut: 4 } as const;

/** The fee of the bench's Hub, in basis points, and the escrow of its bounties, in units of the token. */
export const FEE_BPS = 250;
export const ESCROW = 1_000_039n;

/** 250 basis points of `ESCROW` are 25,000.975 units: the treasury gets the whole ones, the winner all the rest. */
export const FEE_AMOUNT = 25_000n;
export const NET_AMOUNT = 975_039n;

/** A 32-byte value that stands for `text`. */
export function commitment(text: string): Hex {
  return keccak256(toHex(text));
}

/** Account `index` of the local mnemonic, as a signer. */
export function localAccount(index: number) {
  return mnemonicToAccount(LOCAL_MNEMONIC, { addressIndex: index });
}

const address = (index: number): Address => localAccount(index).address;

export const OWNER = address(0);
export const POSTER = address(1);
export const TREASURY = address(2);
export const STRANGER = address(3);
export const SOLVER = address(4);
export const OTHER_SOLVER = address(5);

/** Seven Guardians in ascending order; anvil signs for all of them. */
export const GUARDIANS = guardiansOf([10, 11, 12, 13, 14, 15, 16].map(address));

/** The open bench; see `openHubBench`. */
export type HubBench = Awaited<ReturnType<typeof openHubBench>>;

/** Deploys Hub and token on a chain of their own, with a Poster who has funds and approved them; the caller stops it. */
export async function openHubBench() {
  const chain = await openMinedChain();
  const hub = await chain.deploy(OWNER, compiled('Hub'), [OWNER, FEE_BPS, TREASURY]);
  const token = await chain.deploy(OWNER, compiled('TestToken'));

  const bench = {
    ...chain,
    hub,
    token,
    hubAbi,

    /** Calls the Hub, in a block of the Unix second `at` when given. */
    call<N extends WriteName<typeof hubAbi>>(
      from: Address,
      functionName: N,
      args: WriteArgs<typeof hubAbi, N>,
      at?: bigint,
    ): Promise<Mined> {
      return chain.send(from, hub, bench.encode(functionName, args), at);
    },

    /** Call data for the Hub. */
    encode<N extends WriteName<typeof hubAbi>>(functionName: N, args: WriteArgs<typeof hubAbi, N>): Hex {
      return encodeFunctionData({ abi: hubAbi, functionName, args } as never);
    },

    /** Tries to give the ownership up, which the ABI calls a view because it never succeeds. */
    renounceOwnership(from: Address): Promise<Mined> {
      return chain.send(from, hub, encodeFunctionData({ abi: hubAbi, functionName: 'renounceOwnership' }));
    },

    /** Calls an ERC-20 token, the bench's own unless another is named. */
    callToken<N extends WriteName<typeof testTokenAbi>>(
      from: Address,
      functionName: N,
      args: WriteArgs<typeof testTokenAbi, N>,
      at: Address = token,
    ): Promise<Mined> {
      return chain.send(from, at, encodeFunctionData({ abi: testTokenAbi, functionName, args } as never));
    },

    /** Reads the Hub at the head. */
    read<N extends ContractFunctionName<typeof hubAbi, 'view'>>(
      functionName: N,
      args: ContractFunctionArgs<typeof hubAbi, 'view', N>,
    ): Promise<unknown> {
      return chain.client.readContract({ abi: hubAbi, address: hub, functionName, args } as never);
    },

    /** What an account owns of a token, the bench's own unless another is named. */
    balanceOf(owner: Address, of: Address = token): Promise<bigint> {
      const call = { abi: testTokenAbi, address: of, functionName: 'balanceOf', args: [owner] } as const;
      return chain.client.readContract(call);
    },

    /** Publishes a roster and returns its hash. */
    async publish(guardians: readonly Guardian[]): Promise<Hex> {
      const { events } = await bench.call(OWNER, 'publishRoster', [guardians]);
      return events[0]?.[1] as Hex;
    },

    /** Terms that the Hub accepts now: deadlines 1,000, 2,000 and 3,000 seconds ahead, the current roster and fee. */
    async terms(changes: Partial<BountyTerms> = {}): Promise<BountyTerms> {
      const now = await chain.now();
      return {
        specCommitment: commitment('challenge'),
        token,
        amount: ESCROW,
        submissionDeadline: now + 1000n,
        judgingDeadlineAt: now + 2000n,
        settlementTimeoutAt: now + 3000n,
        guardianRosterHash: (await bench.read('currentRosterHash', [])) as Hex,
        maxFeeBps: FEE_BPS,
        ...changes,
      };
    },

    /** Creates a bounty of the Poster's and returns its id and terms. */
    async bounty(changes: Partial<BountyTerms> = {}): Promise<BountyTerms & { id: bigint }> {
      const terms = await bench.terms(changes);
      const { events } = await bench.call(POSTER, 'createBounty', [terms]);
      return { ...terms, id: events[0]?.[1] as bigint };
    },
  };
  await bench.callToken(POSTER, 'mint', [POSTER, 10n ** 15n]);
  await bench.callToken(POSTER, 'approve', [hub, maxUint256]);
  await bench.publish(GUARDIANS.slice(0, 3));
  return bench;
}

/** A compiled contract of `abis/`, for a deployment. */
export function compiled(name: string): { abi: Abi; bytecode: Hex } {
  return JSON.parse(readFileSync(new URL(`../../abis/${name}.json`, import.meta.url), 'utf8'));
}
