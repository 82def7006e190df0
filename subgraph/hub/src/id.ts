// Every entity id of this subgraph that is made of more than one value, each with an example.

import { Address, BigInt, Bytes } from '@graphprotocol/graph-ts';

/** @example "hub" */
export const HUB_STATE_ID = 'hub';

/** @example "7" */
export function bountyKey(bountyId: BigInt): string {
  return bountyId.toString();
}

/** @example "0x4093…80ea-0x19e7…ff2a" */
export function rosterMemberKey(rosterHash: Bytes, account: Address): string {
  return rosterHash.toHexString() + '-' + account.toHexString();
}

/** @example "7-0x19e7…ff2a" */
export function submissionKey(bounty: string, solver: Address): string {
  return bounty + '-' + solver.toHexString();
}

/** @example "7-0xabab…abab" */
export function bountySubmissionKey(bounty: string, commitment: Bytes): string {
  return bounty + '-' + commitment.toHexString();
}

/** @example "7-0x19e7…ff2a" */
export function verdictKey(bounty: string, guardian: Address): string {
  return bounty + '-' + guardian.toHexString();
}

/** @example "7-0x19e7…ff2a-3" */
export function revisionKey(current: string, revision: i32): string {
  return current + '-' + revision.toString();
}

/** @example "7-0xcdcd…cdcd" */
export function tallyKey(bounty: string, matchHash: Bytes): string {
  return bounty + '-' + matchHash.toHexString();
}

/** @example "0x19e7…ff2a-0xa0b8…eb48" */
export function queuedBalanceKey(account: Address, token: Address): string {
  return account.toHexString() + '-' + token.toHexString();
}
