// Who plays the demo, and what each of them sends: real transactions of their own wallets, mined when they resolve.

import { type Account, createWalletClient, type Hex, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { hubAbi } from '../../abis/hubAbi.ts';
import type { BountyTerms } from '../protocol/bountyTerms.ts';
import { commitmentOf } from '../protocol/commitment.ts';
import {
  approveCall,
  claimCall,
  createBountyCall,
  recordVerdictCall,
  settleCall,
  submitCall,
} from '../protocol/hubCalls.ts';
import { encodePayoutData, netRewardAmount } from '../protocol/payout.ts';
import type { PreparedCall } from '../protocol/preparedCall.ts';
import { DEMO_DEADLINES, DEMO_ESCROW } from './demoChallenge.ts';
import { LOCAL_FEE_BPS } from './hub.ts';
import type { LocalAccount } from './localAccounts.ts';
import { localRpc } from './localRpc.ts';
import type { LocalStack } from './stack.ts';

/** The people of the demo. */
export type DemoActors = ReturnType<typeof demoActors>;

type Person = LocalAccount & { readonly account: Account };

const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`;
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';

/** Everybody on a stack that mines each transaction at once. */
export function demoActors(stack: LocalStack) {
  const { hubAddress, tokenAddress } = stack;
  const { call, latestTimestamp } = localRpc(stack.rpcUrl);
  const client = createWalletClient({
    chain: foundry,
    transport: http(stack.rpcUrl),
    pollingInterval: 20,
  }).extend(publicActions);
  const person = <T extends LocalAccount>(from: T): T & Person => ({
    ...from,
    account: privateKeyToAccount(from.private_key),
  });
  const send = async ({ account }: Person, { to, data }: PreparedCall): Promise<void> => {
    const hash = await client.sendTransaction({ account, to, data });
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`Transaction ${hash} was reverted.`);
  };
  const poster = person(stack.accounts.poster);

  return {
    poster,
    solvers: stack.accounts.solvers.map(person),
    guardians: stack.accounts.guardians.map(person),
    now: latestTimestamp,
    mine: (blocks: number) => call('anvil_mine', [`0x${blocks.toString(16)}`]),
    async warpTo(timestamp: number): Promise<void> {
      await call('evm_setNextBlockTimestamp', [timestamp]);
      await call('anvil_mine', ['0x1']);
    },
    async createBounty(specCommitment: Hex, now: number) {
      const read = { address: hubAddress, abi: hubAbi } as const;
      const guardianRosterHash = await client.readContract({ ...read, functionName: 'currentRosterHash' });
      const terms: BountyTerms = {
        specCommitment,
        token: tokenAddress,
        amount: DEMO_ESCROW,
        submissionDeadline: now + DEMO_DEADLINES.submission,
        judgingDeadlineAt: now + DEMO_DEADLINES.judging,
        settlementTimeoutAt: now + DEMO_DEADLINES.settlement,
        guardianRosterHash,
        maxFeeBps: LOCAL_FEE_BPS,
      };
      await send(poster, approveCall(tokenAddress, hubAddress, DEMO_ESCROW));
      await send(poster, createBountyCall(hubAddress, terms));
      const bountyId = await client.readContract({ ...read, functionName: 'bountyCount' });
      return { bountyId, terms, netAmount: netRewardAmount(DEMO_ESCROW, LOCAL_FEE_BPS) };
    },
    submit: (solver: Person, bountyId: bigint, commitment: Hex) =>
      send(solver, submitCall(hubAddress, bountyId, commitment)),
    /** Record a Verdict: an award, or null for a refund. */
    judge(
      guardian: Person,
      bountyId: bigint,
      award: { winner: LocalAccount; commitment: Hex; netAmount: bigint } | null,
    ): Promise<void> {
      const verdict =
        award === null
          ? { outcome: 'refunded', winner: ZERO_ADDRESS, submissionCommitment: ZERO_HASH, payoutData: '0x' }
          : {
              outcome: 'awarded',
              winner: award.winner.address,
              submissionCommitment: award.commitment,
              payoutData: encodePayoutData({ tokenAddress, amount: award.netAmount }),
            };
      const report = commitmentOf(new TextEncoder().encode(`report of ${guardian.address} on ${bountyId}`));
      return send(guardian, recordVerdictCall(hubAddress, bountyId, verdict as never, report));
    },
    settle: (bountyId: bigint) => send(poster, settleCall(hubAddress, bountyId)),
    /** Claim everything that is queued for somebody; returns how much arrived. */
    async claim(by: Person): Promise<bigint> {
      const args = { address: hubAddress, abi: hubAbi, functionName: 'queuedBalance' } as const;
      const queued = await client.readContract({ ...args, args: [by.address, tokenAddress] });
      await send(by, claimCall(hubAddress, tokenAddress, by.address));
      return queued;
    },
  };
}
