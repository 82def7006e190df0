/**
 * The people of a local stack with their own wallets: each call is a real transaction of that person, mined when it
 * resolves. A refusal of the Hub throws viem's error with the Hub's reason in its message.
 */
import {
  type Account,
  type Address,
  type ContractFunctionArgs,
  createWalletClient,
  type Hex,
  http,
  keccak256,
  parseEventLogs,
  publicActions,
  type TransactionReceipt,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { hubAbi } from '../../abis/hubAbi.ts';
import { testTokenAbi } from '../../abis/testTokenAbi.ts';
import { LOCAL_FEE_BPS } from '../../server/local/hub.ts';
import type { LocalAccount, LocalGuardian } from '../../server/local/localAccounts.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { award, payout, REFUND, type Verdict } from '../abis/verdict.ts';

/** `IHub.BountyTerms`. */
export type BountyTerms = ContractFunctionArgs<typeof hubAbi, 'nonpayable', 'createBounty'>[0];

/** What a bounty was created with, and its id. */
export interface CreatedBounty extends BountyTerms {
  readonly bountyId: bigint;
  /** What the winner gets: the escrow less the fee. */
  readonly netAmount: bigint;
  readonly receipt: TransactionReceipt;
}

/** The escrow of a bounty unless a test says otherwise: 1,000 tokens. */
export const ESCROW = 1_000_000_000n;

/** A 32-byte value that stands for a text. */
export function commitmentOf(text: string): Hex {
  return keccak256(toHex(text));
}

/** Somebody with a wallet. */
export interface Actor extends LocalAccount {
  readonly account: Account;
}

/** A Guardian with a wallet. */
export interface GuardianActor extends LocalGuardian, Actor {}

/** Everybody on `stack`, and what they do on chain. */
export function actorsOn(stack: LocalStack) {
  const { hubAddress, tokenAddress } = stack;
  const hub = { address: hubAddress, abi: hubAbi } as const;
  const token = { address: tokenAddress, abi: testTokenAbi } as const;
  const client = createWalletClient({
    chain: foundry,
    transport: http(stack.rpcUrl),
    pollingInterval: 50,
  }).extend(publicActions);
  const actor = <T extends LocalAccount>(person: T): T & Actor => ({
    ...person,
    account: privateKeyToAccount(person.private_key),
  });
  const mined = async (sent: Promise<TransactionReceipt>): Promise<TransactionReceipt> => {
    const receipt = await sent;
    if (receipt.status !== 'success') throw new Error(`Transaction ${receipt.transactionHash} was reverted`);
    return receipt;
  };

  const poster = actor(stack.accounts.poster);
  const solvers = stack.accounts.solvers.map(actor);
  const guardians: GuardianActor[] = stack.accounts.guardians.map(actor);

  /** Terms that the Hub takes now: deadlines in one, two and three hours, the current roster, the local fee. */
  const bountyTerms = async (changes: Partial<BountyTerms> = {}): Promise<BountyTerms> => {
    const { timestamp } = await client.getBlock({ blockTag: 'latest' });
    return {
      specCommitment: commitmentOf(`challenge at ${timestamp}`),
      token: tokenAddress,
      amount: ESCROW,
      submissionDeadline: timestamp + 3_600n,
      judgingDeadlineAt: timestamp + 7_200n,
      settlementTimeoutAt: timestamp + 10_800n,
      guardianRosterHash: await client.readContract({ ...hub, functionName: 'currentRosterHash' }),
      maxFeeBps: LOCAL_FEE_BPS,
      ...changes,
    };
  };

  return {
    /** A viem client of the chain that reads, and sends for any account that is given. */
    client,
    owner: actor(stack.accounts.owner),
    poster,
    solvers,
    guardians,
    stranger: actor(stack.accounts.stranger),
    bountyTerms,

    /** Approves and funds a bounty; anything not in `changes` comes from {@link bountyTerms}. */
    async createBounty(changes: Partial<BountyTerms> = {}, by: Actor = poster): Promise<CreatedBounty> {
      const terms = await bountyTerms(changes);
      const { account } = by;
      const approval = {
        ...token,
        functionName: 'approve',
        args: [hubAddress, terms.amount],
        account,
      } as const;
      await mined(client.writeContractSync(approval));
      const receipt = await mined(
        client.writeContractSync({ ...hub, functionName: 'createBounty', args: [terms], account }),
      );
      const [created] = parseEventLogs({ abi: hubAbi, logs: receipt.logs, eventName: 'BountyCreated' });
      if (created === undefined) throw new Error('The Hub did not say that the bounty was created');
      const { bountyId, feeBps } = created.args;
      const netAmount = terms.amount - (terms.amount * BigInt(feeBps)) / 10_000n;
      return { ...terms, bountyId, netAmount, receipt };
    },

    /** Records a Solver's active Submission. */
    submit: (solver: Actor, bountyId: bigint, commitment: Hex): Promise<TransactionReceipt> =>
      mined(
        client.writeContractSync({
          ...hub,
          functionName: 'submit',
          args: [bountyId, commitment],
          account: solver.account,
        }),
      ),

    /** Records a Guardian's current Verdict; see {@link awardTo} and `REFUND` for what to pass. */
    recordVerdict: (
      guardian: Actor,
      bountyId: bigint,
      verdict: Verdict,
      report: Hex = commitmentOf(`report of ${guardian.address} on ${bountyId}`),
    ): Promise<TransactionReceipt> =>
      mined(
        client.writeContractSync({
          ...hub,
          functionName: 'recordVerdict',
          args: [bountyId, verdict, report],
          account: guardian.account,
        }),
      ),

    /** Settles by the majority; anybody may, here the Poster does. */
    settle: (bountyId: bigint, by: Actor = poster): Promise<TransactionReceipt> =>
      mined(
        client.writeContractSync({ ...hub, functionName: 'settle', args: [bountyId], account: by.account }),
      ),

    /** Refunds a bounty without a majority after its timeout. */
    timeOut: (bountyId: bigint, by: Actor = poster): Promise<TransactionReceipt> =>
      mined(
        client.writeContractSync({ ...hub, functionName: 'timeOut', args: [bountyId], account: by.account }),
      ),

    /** Takes somebody's queued balance of the test token. */
    claim: (by: Actor, to: Address = by.address): Promise<TransactionReceipt> =>
      mined(
        client.writeContractSync({
          ...hub,
          functionName: 'claim',
          args: [tokenAddress, to],
          account: by.account,
        }),
      ),

    /** The Verdict that pays this Solver for this Submission of this bounty. */
    awardTo: (solver: Pick<Actor, 'address'>, bounty: CreatedBounty, commitment: Hex): Verdict =>
      award(solver.address, commitment, payout(bounty.token, bounty.netAmount)),

    /** The Verdict that gives the Poster the escrow back. */
    refund: REFUND,
  };
}

/** What {@link actorsOn} returns. */
export type Actors = ReturnType<typeof actorsOn>;
