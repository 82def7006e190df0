// Where a Submission belongs: deployment, bounty, Solver and challenge. Part of the envelope, and authenticated by
// every key wrap (specification section 1, envelope: deployment context). Must always be in its one written form.
import type { Address, Hex } from 'viem';
import { parseAddress } from './accountAddress.ts';
import type { Issue } from './errors.ts';
import { bountyId, chainId, lowerAddress, lowerBytes32 } from './schemas.ts';

/** The context as it is hashed and authenticated: addresses and hashes in lower case, the bounty id in decimal. */
export interface SubmissionContext {
  readonly chain_id: number;
  readonly hub_address: Address;
  readonly bounty_id: string;
  readonly solver_address: Address;
  readonly spec_commitment: Hex;
}

/** The parts of a context, in any case. */
export interface SubmissionPlace {
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly bountyId: bigint;
  readonly solverAddress: Address;
  readonly specCommitment: Hex;
}

/** JSON schema of a context. */
export const submissionContextSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['chain_id', 'hub_address', 'bounty_id', 'solver_address', 'spec_commitment'],
  properties: {
    chain_id: chainId,
    hub_address: lowerAddress,
    bounty_id: bountyId,
    solver_address: lowerAddress,
    spec_commitment: lowerBytes32,
  },
} as const;

/** The written form of a context. Throws a TypeError when an address is none. */
export function submissionContext(place: SubmissionPlace): SubmissionContext {
  const [hub, solver] = [parseAddress(place.hubAddress), parseAddress(place.solverAddress)];
  if (hub === undefined || solver === undefined) throw new TypeError('Hub and Solver must be addresses.');
  return {
    chain_id: place.chainId,
    hub_address: hub,
    bounty_id: String(place.bountyId),
    solver_address: solver,
    spec_commitment: place.specCommitment.toLowerCase() as Hex,
  };
}

const WHAT = {
  chain_id: "Must be this deployment's chain.",
  hub_address: "Must be this deployment's Hub.",
  bounty_id: 'Must be this bounty.',
  solver_address: 'Must be the Solver of this Submission.',
  spec_commitment: "Must be this bounty's spec_commitment.",
} as const;

/** Every field in which a context is not that of a place, at `/context/<field>`: a copy of somebody's Submission. */
export function contextIssues(context: SubmissionContext, place: SubmissionPlace): Issue[] {
  const expected = submissionContext(place);
  const keys = Object.keys(WHAT) as (keyof typeof WHAT)[];
  return keys
    .filter((key) => context[key] !== expected[key])
    .map((key) => ({ path: `/context/${key}`, message: WHAT[key] }));
}
