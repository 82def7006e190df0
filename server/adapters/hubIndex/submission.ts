// What a decision about one Submission rests on: the Solver's active commitment at P and at the index's head, or that a
// commitment was ever recorded in the bounty.

import type { Address, Hex } from 'viem';
import type { Snapshot } from '../hubIndex.ts';
import { absent, type FactSources, notFinalYet, row } from './bounty.ts';
import { pinnedQuery } from './pinnedQuery.ts';

interface Active {
  readonly submissionCommitment: Hex;
  readonly blockNumber: string;
}

const text = { type: 'string' };
const ACTIVE_ROW = { anyOf: [row({ submissionCommitment: text, blockNumber: text }), { type: 'null' }] };

const ACTIVE_SUBMISSION = pinnedQuery<{ submission: Active | null; atHead: Active | null }>({
  name: 'ActiveSubmission',
  parameters: '$id: ID!',
  fields: `submission(id: $id, block: {number: $pin}) { submissionCommitment blockNumber }
  atHead: submission(id: $id) { submissionCommitment blockNumber }`,
  schema: row({ submission: ACTIVE_ROW, atHead: ACTIVE_ROW }),
});

const REVISION_FIELDS =
  'first: 1, orderBy: blockNumber, where: {bounty: $bounty, submissionCommitment: $commitment}';

interface Recorded {
  readonly bountySubmission: { readonly id: string } | null;
  readonly atHead: { readonly id: string } | null;
  readonly first: readonly { readonly blockNumber: string }[];
}

const RECORDED_SUBMISSION = pinnedQuery<Recorded>({
  name: 'RecordedSubmission',
  parameters: '$id: ID!, $bounty: String!, $commitment: Bytes!',
  fields: `bountySubmission(id: $id, block: {number: $pin}) { id }
  atHead: bountySubmission(id: $id) { id }
  first: submissionRevisions(${REVISION_FIELDS}) { blockNumber }`,
  schema: row({
    bountySubmission: { anyOf: [row({ id: text }), { type: 'null' }] },
    atHead: { anyOf: [row({ id: text }), { type: 'null' }] },
    first: { type: 'array', items: row({ blockNumber: text }) },
  }),
});

/**
 * The Solver's active commitment, equal at P and at the head; undefined when the Solver has none at either.
 *
 * @param solver Lower-case
 * @throws ServiceError 503 while the head says something else than P
 */
export async function readActiveSubmission(
  sources: FactSources,
  bountyId: string,
  solver: Address,
  at: Snapshot,
): Promise<Hex | undefined> {
  const id = `${bountyId}-${solver}`;
  const { submission, atHead } = (await sources.hubIndex.readWithHead(ACTIVE_SUBMISSION, { id }, at)).result;
  if (submission?.submissionCommitment === atHead?.submissionCommitment)
    return submission?.submissionCommitment;
  throw notFinalYet(Number(atHead?.blockNumber ?? at.indexHead.number), at, sources.blockTimeSeconds);
}

/**
 * Whether a commitment is the Solver's active one at P or at the head: bytes that either names must be kept.
 *
 * @throws ServiceError 503 when it cannot be told
 */
export async function isActiveSubmission(
  sources: FactSources,
  bountyId: string,
  solver: Address,
  commitment: Hex,
  at: Snapshot,
): Promise<boolean> {
  const variables = { id: `${bountyId}-${solver}` };
  const { submission, atHead } = (await sources.hubIndex.readFresh(ACTIVE_SUBMISSION, variables, at)).result;
  return submission?.submissionCommitment === commitment || atHead?.submissionCommitment === commitment;
}

/**
 * Make sure that a commitment was recorded in this bounty by some Solver, at P.
 *
 * @param commitment Lower-case
 * @throws ServiceError 404 `submission_not_found`; 503 while it is recorded but not final
 */
export async function requireRecordedSubmission(
  sources: FactSources,
  bountyId: string,
  commitment: Hex,
  at: Snapshot,
): Promise<void> {
  const variables = { id: `${bountyId}-${commitment}`, bounty: bountyId, commitment };
  const cached = (await sources.hubIndex.readWithHead(RECORDED_SUBMISSION, variables, at)).result;
  if (cached.bountySubmission) return;
  const { result, head } = await sources.hubIndex.readFresh(RECORDED_SUBMISSION, variables, at);
  if (result.bountySubmission) return;
  if (!result.atHead) throw await absent('submission_not_found', head.number, sources);
  throw notFinalYet(Number(result.first[0]?.blockNumber ?? head.number), at, sources.blockTimeSeconds);
}
