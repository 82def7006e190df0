// Every call that a Poster, Solver or Guardian sends, encoded from what it means (specification section 1: the wallet
// sends, the API only prepares). The SDK derives the same call and refuses another. Must never attach value.
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';
import { checksumAddress } from './accountAddress.ts';
import { abiTerms, type BountyTerms, readableTerms } from './bountyTerms.ts';
import { type HubVerdict, OUTCOME_NUMBERS } from './hubVerdict.ts';
import type { PreparedCall, ReadableArgs } from './preparedCall.ts';

/** A signed ERC-2612 permit for exactly the escrow (IHub.Permit). */
export interface SignedPermit {
  /** Unix seconds. */
  readonly deadline: bigint;
  readonly v: number;
  readonly r: Hex;
  readonly s: Hex;
}

function call(to: Address, functionName: string, data: Hex, args: ReadableArgs): PreparedCall {
  return { to: checksumAddress(to), value: '0x0', data, function_name: functionName, args };
}

/** `approve(spender, amount)` on the token: exactly the escrow, never more. */
export function approveCall(token: Address, spender: Address, amount: bigint): PreparedCall {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] });
  return call(token, 'approve', data, { spender: checksumAddress(spender), amount: String(amount) });
}

/** `createBounty(terms)`; the escrow must be approved before. */
export function createBountyCall(hub: Address, terms: BountyTerms): PreparedCall {
  const functionName = 'createBounty';
  const data = encodeFunctionData({ abi: hubAbi, functionName, args: [abiTerms(terms)] });
  return call(hub, functionName, data, readable(terms));
}

/** `createBountyWithPermit(terms, permit)`: bounty and allowance in one transaction. */
export function createBountyWithPermitCall(
  hub: Address,
  terms: BountyTerms,
  permit: SignedPermit,
): PreparedCall {
  const functionName = 'createBountyWithPermit';
  const data = encodeFunctionData({ abi: hubAbi, functionName, args: [abiTerms(terms), permit] });
  const { deadline, v, r, s } = permit;
  return call(hub, functionName, data, {
    ...readable(terms),
    permit: { deadline: String(deadline), v: String(v), r, s },
  });
}

/** `submit(bountyId, submissionCommitment)`. */
export function submitCall(hub: Address, bountyId: bigint, submissionCommitment: Hex): PreparedCall {
  const functionName = 'submit';
  const data = encodeFunctionData({ abi: hubAbi, functionName, args: [bountyId, submissionCommitment] });
  return call(hub, functionName, data, {
    bounty_id: String(bountyId),
    submission_commitment: submissionCommitment,
  });
}

/** `recordVerdict(bountyId, verdict, reportCommitment)`. */
export function recordVerdictCall(
  hub: Address,
  bountyId: bigint,
  verdict: HubVerdict,
  reportCommitment: Hex,
): PreparedCall {
  const functionName = 'recordVerdict';
  const outcome = OUTCOME_NUMBERS[verdict.outcome];
  const args = [bountyId, { ...verdict, outcome }, reportCommitment] as const;
  return call(hub, functionName, encodeFunctionData({ abi: hubAbi, functionName, args }), {
    bounty_id: String(bountyId),
    verdict: {
      outcome: verdict.outcome,
      winner: checksumAddress(verdict.winner),
      submission_commitment: verdict.submissionCommitment,
      payout_data: verdict.payoutData,
    },
    report_commitment: reportCommitment,
  });
}

/** `settle(bountyId)`: anyone may send it once two thirds match. */
export function settleCall(hub: Address, bountyId: bigint): PreparedCall {
  const data = encodeFunctionData({ abi: hubAbi, functionName: 'settle', args: [bountyId] });
  return call(hub, 'settle', data, { bounty_id: String(bountyId) });
}

/** `timeOut(bountyId)`: anyone may send it after the settlement timeout without a majority. */
export function timeOutCall(hub: Address, bountyId: bigint): PreparedCall {
  const data = encodeFunctionData({ abi: hubAbi, functionName: 'timeOut', args: [bountyId] });
  return call(hub, 'timeOut', data, { bounty_id: String(bountyId) });
}

/** `claim(token, to)`: the caller's whole queued balance. */
export function claimCall(hub: Address, token: Address, to: Address): PreparedCall {
  const data = encodeFunctionData({ abi: hubAbi, functionName: 'claim', args: [token, to] });
  return call(hub, 'claim', data, { token: checksumAddress(token), to: checksumAddress(to) });
}

function readable(terms: BountyTerms): ReadableArgs {
  return readableTerms({ ...terms, token: checksumAddress(terms.token) });
}
