// The Hub, read through the user's own RPC (specification section 1: what the chain says decides). Nothing of the API
// enters here. Each read may be pinned to one block, so that several agree with each other.

import type { Address, Client, ContractFunctionReturnType, Hex } from 'viem';
import { getBlock, getChainId, readContract } from 'viem/actions';
import { hubAbi } from '../../abis/hubAbi.ts';
import { ZERO_ADDRESS } from '../protocol/accountAddress.ts';
import type { Outcome } from '../protocol/hubVerdict.ts';
import { type Guardian, rosterHash } from '../protocol/roster.ts';
import { hubErrorOf } from './hubError.ts';
import { contradictions } from './untrustedAnswer.ts';

const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`;
const STATUSES = ['none', 'open', 'awarded', 'refunded', 'timed_out'] as const;

/** A bounty as the Hub keeps it; amounts in the token's smallest unit, times in Unix seconds. */
export interface HubBounty {
  readonly bountyId: bigint;
  readonly poster: Address;
  readonly status: 'open' | Outcome | 'timed_out';
  readonly token: Address;
  readonly amount: bigint;
  readonly submissionDeadline: number;
  readonly judgingDeadlineAt: number;
  readonly settlementTimeoutAt: number;
  readonly specCommitment: Hex;
  readonly guardianRosterHash: Hex;
  readonly feeBps: number;
  readonly treasury: Address;
  readonly winner: Address | null;
  readonly awardedSubmissionCommitment: Hex | null;
}

/** Fee and treasury that the next bounty will carry. */
export interface FeePolicy {
  readonly feeBps: number;
  readonly treasury: Address;
}

/** A block of the user's own RPC. */
export interface ChainTip {
  readonly number: bigint;
  readonly hash: Hex;
  /** Unix seconds: the chain's clock. */
  readonly timestamp: number;
}

/** Reads of one Hub; without a block they see the latest. All throw HubError. */
export interface Hub {
  readonly address: Address;
  chainId(): Promise<number>;
  tip(): Promise<ChainTip>;
  /** @throws HubError `Hub_BountyUnknown` */
  bounty(bountyId: bigint, at?: bigint): Promise<HubBounty>;
  /** A published roster, recomputed from its members. @throws UntrustedAnswerError when it is not the one of the hash */
  roster(hash: Hex, at?: bigint): Promise<readonly Guardian[]>;
  currentRosterHash(at?: bigint): Promise<Hex>;
  feePolicy(at?: bigint): Promise<FeePolicy>;
  /** A Solver's active Submission, null while none. */
  submissionOf(bountyId: bigint, solver: Address, at?: bigint): Promise<Hex | null>;
  /** A Guardian's current Verdict, null while none. */
  verdictOf(
    bountyId: bigint,
    guardian: Address,
    at?: bigint,
  ): Promise<{ readonly matchHash: Hex; readonly reportCommitment: Hex } | null>;
  /** What an account may claim, in the token's smallest unit. */
  queuedBalance(account: Address, token: Address, at?: bigint): Promise<bigint>;
}

/** The Hub at an address, read through a viem client of the user. */
export function hubOn(client: Client, address: Address): Hub {
  const hub = { address, abi: hubAbi } as const;
  const pin = (at: bigint | undefined) => (at === undefined ? {} : { blockNumber: at });
  const asked = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (cause) {
      throw hubErrorOf(cause);
    }
  };
  return {
    address,
    chainId: () => asked(getChainId(client)),
    async tip() {
      const { number, hash, timestamp } = await asked(getBlock(client, { blockTag: 'latest' }));
      return { number, hash, timestamp: Number(timestamp) };
    },
    async bounty(bountyId, at) {
      const args = [bountyId] as const;
      const read = readContract(client, { ...hub, functionName: 'bounty', args, ...pin(at) });
      return bountyOf(bountyId, await asked(read));
    },
    async roster(hash, at) {
      const args = [hash] as const;
      const read = readContract(client, { ...hub, functionName: 'roster', args, ...pin(at) });
      const guardians = await asked(read);
      const check = contradictions('The roster that your RPC answers is not the one that was asked for.');
      check.same('guardian_roster_hash', rosterHash(guardians), hash);
      check.done();
      return guardians;
    },
    currentRosterHash: (at) =>
      asked(readContract(client, { ...hub, functionName: 'currentRosterHash', ...pin(at) })),
    async feePolicy(at) {
      const read = readContract(client, { ...hub, functionName: 'feePolicy', ...pin(at) });
      const [feeBps, treasury] = await asked(read);
      return { feeBps, treasury };
    },
    async submissionOf(bountyId, solver, at) {
      const args = [bountyId, solver] as const;
      const read = readContract(client, { ...hub, functionName: 'submissionOf', args, ...pin(at) });
      return presentHash(await asked(read));
    },
    async verdictOf(bountyId, guardian, at) {
      const args = [bountyId, guardian] as const;
      const read = readContract(client, { ...hub, functionName: 'verdictOf', args, ...pin(at) });
      const [matchHash, reportCommitment] = await asked(read);
      return presentHash(reportCommitment) && { matchHash, reportCommitment };
    },
    queuedBalance: (account, token, at) =>
      asked(
        readContract(client, { ...hub, functionName: 'queuedBalance', args: [account, token], ...pin(at) }),
      ),
  };
}

type WrittenBounty = ContractFunctionReturnType<typeof hubAbi, 'view', 'bounty'>;

function bountyOf(bountyId: bigint, written: WrittenBounty): HubBounty {
  const { status: number, winner, awardedSubmissionCommitment, ...rest } = written;
  const status = STATUSES[number];
  if (status === undefined || status === 'none') throw hubErrorOf(new Error(`Status ${number} is unknown.`));
  return {
    ...rest,
    bountyId,
    status,
    submissionDeadline: Number(written.submissionDeadline),
    judgingDeadlineAt: Number(written.judgingDeadlineAt),
    settlementTimeoutAt: Number(written.settlementTimeoutAt),
    winner: winner === ZERO_ADDRESS ? null : winner,
    awardedSubmissionCommitment: presentHash(awardedSubmissionCommitment),
  };
}

function presentHash(hash: Hex): Hex | null {
  return hash === ZERO_HASH ? null : hash;
}
