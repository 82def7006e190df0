/** A bounty in judgement: its Solvers have submitted, and Guardians record Verdicts by their number in the roster. */
import type { Address, Hex } from 'viem';
import {
  type BountyTerms,
  commitment,
  GUARDIANS,
  type HubBench,
  NET_AMOUNT,
  OTHER_SOLVER,
  SOLVER,
} from './hubBench.ts';
import type { Mined } from './minedChain.ts';
import { award, payout, type Verdict } from './verdict.ts';

/** What `SOLVER` and `OTHER_SOLVER` have submitted to a bounty in judgement. */
export const WORK = commitment('work');
export const OTHER_WORK = commitment('other work');

/** A bounty in judgement; see `openJudging`. */
export interface Judging extends BountyTerms {
  readonly id: bigint;
  /** The Verdict that pays `SOLVER` the net amount. */
  readonly correct: Verdict;
  /** Guardian `number` of the roster, from 0, records a Verdict; at Unix second `at` when given. */
  record(number: number, verdict: Verdict, report?: Hex, at?: bigint): Promise<Mined>;
}

/** Creates a bounty with a roster of `rosterSize` (1 to 7), two Submissions, and moves time to its judgement. */
export async function openJudging(
  bench: HubBench,
  rosterSize = 3,
  changes: Partial<BountyTerms> = {},
): Promise<Judging> {
  await bench.publish(GUARDIANS.slice(0, rosterSize));
  const bounty = await bench.bounty(changes);
  await bench.call(SOLVER, 'submit', [bounty.id, WORK]);
  await bench.call(OTHER_SOLVER, 'submit', [bounty.id, OTHER_WORK]);
  await bench.client.setNextBlockTimestamp({ timestamp: bounty.submissionDeadline });
  await bench.client.mine({ blocks: 1 });
  return {
    ...bounty,
    correct: award(SOLVER, WORK, payout(bounty.token, NET_AMOUNT)),
    record: (number, verdict, report = commitment(`report ${number}`), at) =>
      bench.call(guardian(number), 'recordVerdict', [bounty.id, verdict, report], at),
  };
}

/** The account of Guardian `number` of every roster here, from 0. */
export function guardian(number: number): Address {
  const { account } = GUARDIANS[number] ?? {};
  if (!account) throw new Error(`there is no Guardian ${number}`);
  return account;
}
