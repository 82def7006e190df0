// One bounty in the index: its row, its roster and its active Submissions, read whole at one block.
// "Unknown" is said only when the index is at the chain's head; whatever exists there but is not final yet is a retry.

import type { Address, Hex } from 'viem';
import { ServiceError } from '../../protocol/errors.ts';
import type { Chain } from '../chain.ts';
import type { HubIndex, Snapshot } from '../hubIndex.ts';
import { projectionUnavailable } from './graphql.ts';
import { pinnedQuery } from './pinnedQuery.ts';

/** Where a bounty stands. */
export type BountyStatus = 'open' | 'awarded' | 'refunded' | 'timed_out';

/** A bounty's row; integers are decimal strings as GraphQL sends them, addresses and hashes lower-case. */
export interface IndexedBounty {
  readonly id: string;
  readonly poster: Address;
  readonly status: BountyStatus;
  readonly winner: Address | null;
  readonly awardedSubmissionCommitment: Hex | null;
  readonly specCommitment: Hex;
  readonly token: Address;
  readonly amount: string;
  readonly feeBps: number;
  readonly treasury: Address;
  readonly submissionDeadline: string;
  readonly judgingDeadlineAt: string;
  readonly settlementTimeoutAt: string;
  readonly guardianRosterHash: Hex;
  readonly rosterSize: number;
  readonly threshold: number;
  readonly submissionCount: number;
  readonly blockNumber: string;
}

/** One Guardian of a pinned roster. */
export interface IndexedGuardian {
  readonly account: Address;
  readonly name: string;
  readonly encryptionPublicKey: string;
}

/** A Solver's active Submission. */
export interface IndexedSubmission {
  readonly id: string;
  readonly solver: Address;
  readonly submissionCommitment: Hex;
}

/** The neighbours that reading facts needs. */
export interface FactSources {
  readonly hubIndex: HubIndex;
  readonly chain: Chain;
  readonly blockTimeSeconds: number;
}

/** The most rows that graph-node gives at once. */
export const PAGE_ROWS = 1000;

/** How far the index may trail the chain's head for "unknown" to be believed, in blocks. */
const ABSENCE_LAG_BLOCKS = 3;

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const integer = { type: 'integer' };

/** An object schema whose keys are all required and no others allowed. */
export const row = (properties: Record<string, object>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** The row's fields in GraphQL. */
export const BOUNTY_FIELDS = `id poster status winner awardedSubmissionCommitment specCommitment token amount feeBps treasury
  submissionDeadline judgingDeadlineAt settlementTimeoutAt guardianRosterHash rosterSize threshold submissionCount blockNumber`;

/** The row's shape. */
export const BOUNTY_ROW = row({
  id: text,
  poster: text,
  status: { enum: ['open', 'awarded', 'refunded', 'timed_out'] },
  winner: textOrNull,
  awardedSubmissionCommitment: textOrNull,
  specCommitment: text,
  token: text,
  amount: text,
  feeBps: integer,
  treasury: text,
  submissionDeadline: text,
  judgingDeadlineAt: text,
  settlementTimeoutAt: text,
  guardianRosterHash: text,
  rosterSize: integer,
  threshold: integer,
  submissionCount: integer,
  blockNumber: text,
});

const BOUNTY = pinnedQuery<{ bounty: IndexedBounty | null }>({
  name: 'Bounty',
  parameters: '$id: ID!',
  fields: `bounty(id: $id, block: {number: $pin}) { ${BOUNTY_FIELDS} }`,
  schema: row({ bounty: { anyOf: [BOUNTY_ROW, { type: 'null' }] } }),
});

const PRESENCE = pinnedQuery<{ bounty: { id: string } | null; atHead: { createdAtBlock: string } | null }>({
  name: 'BountyPresence',
  parameters: '$id: ID!',
  fields: 'bounty(id: $id, block: {number: $pin}) { id } atHead: bounty(id: $id) { createdAtBlock }',
  schema: row({
    bounty: { anyOf: [row({ id: text }), { type: 'null' }] },
    atHead: { anyOf: [row({ createdAtBlock: text }), { type: 'null' }] },
  }),
});

const ROSTER = pinnedQuery<{ rosterMembers: IndexedGuardian[] }>({
  name: 'Roster',
  parameters: '$roster: String!',
  fields: `rosterMembers(first: ${PAGE_ROWS}, where: {roster: $roster}, orderBy: position, block: {number: $pin})
    { account name encryptionPublicKey }`,
  schema: row({
    rosterMembers: { type: 'array', items: row({ account: text, name: text, encryptionPublicKey: text }) },
  }),
});

const SUBMISSIONS = pinnedQuery<{ submissions: IndexedSubmission[] }>({
  name: 'Submissions',
  parameters: '$bounty: String!, $after: ID!',
  fields: `submissions(first: ${PAGE_ROWS}, where: {bounty: $bounty, id_gt: $after}, orderBy: id, block: {number: $pin})
    { id solver submissionCommitment }`,
  schema: row({
    submissions: { type: 'array', items: row({ id: text, solver: text, submissionCommitment: text }) },
  }),
});

/**
 * The bounty at P.
 *
 * @throws ServiceError 404 `bounty_not_found` when the index, at the chain's head, does not know it; 503 otherwise
 */
export async function readBounty(
  sources: FactSources,
  bountyId: string,
  at: Snapshot,
): Promise<IndexedBounty> {
  const { bounty } = await sources.hubIndex.read(BOUNTY, { id: bountyId }, at);
  if (bounty) return bounty;
  const { result, head } = await sources.hubIndex.readFresh(PRESENCE, { id: bountyId }, at);
  if (result.atHead) throw notFinalYet(Number(result.atHead.createdAtBlock), at, sources.blockTimeSeconds);
  throw await absent('bounty_not_found', head.number, sources);
}

/** The pinned roster in its order. @throws ServiceError 503 when it is not whole */
export async function readRoster(
  { hubIndex }: FactSources,
  { guardianRosterHash, rosterSize }: Pick<IndexedBounty, 'guardianRosterHash' | 'rosterSize'>,
  at: Snapshot,
): Promise<readonly IndexedGuardian[]> {
  const { rosterMembers } = await hubIndex.read(ROSTER, { roster: guardianRosterHash }, at);
  if (rosterMembers.length === rosterSize) return rosterMembers;
  throw projectionUnavailable('The index of Hub events holds a roster in part.', { guardianRosterHash });
}

/** Every active Submission, ascending by Solver. @throws ServiceError 503 when they are not all there */
export async function readSubmissions(
  { hubIndex }: FactSources,
  { id, submissionCount }: Pick<IndexedBounty, 'id' | 'submissionCount'>,
  at: Snapshot,
): Promise<readonly IndexedSubmission[]> {
  const all: IndexedSubmission[] = [];
  for (let more = submissionCount > 0; more; ) {
    const after = all.at(-1)?.id ?? '';
    const { submissions } = await hubIndex.read(SUBMISSIONS, { bounty: id, after }, at);
    all.push(...submissions);
    more = submissions.length === PAGE_ROWS;
  }
  if (all.length === submissionCount) return all;
  throw projectionUnavailable('The index of Hub events holds the Submissions in part.', { bounty: id });
}

/**
 * 503 for a fact that exists at the head but is not final: the wait is what finality still needs.
 *
 * @param factBlock Number of the block that carries the fact
 */
export function notFinalYet(factBlock: number, { pinned }: Snapshot, blockTimeSeconds: number): ServiceError {
  return new ServiceError('bounty_chain_state_unavailable', {
    message: `This rests on block ${factBlock}, which is not final yet; the finalized state reaches block ${pinned.number}.`,
    retryAfterSeconds: Math.max(1, (factBlock - pinned.number) * blockTimeSeconds),
  });
}

/**
 * What to say of something that is unknown at an index head: 404 only when that head is close to the chain's as it is now,
 * and beyond the finalized block: what is final is never unknown.
 */
export async function absent(
  code: 'bounty_not_found' | 'submission_not_found',
  indexHead: number,
  { chain, blockTimeSeconds }: FactSources,
): Promise<ServiceError> {
  await chain.refresh();
  const lag = chain.head().number - indexHead;
  const bearable = Math.min(ABSENCE_LAG_BLOCKS, Math.max(0, chain.finalityLagBlocks() - 1));
  if (lag <= bearable) return new ServiceError(code);
  return new ServiceError('bounty_chain_state_unavailable', {
    message: `The index of Hub events is ${lag} blocks behind the chain, too far to say that this does not exist.`,
    retryAfterSeconds: Math.max(1, blockTimeSeconds),
  });
}
