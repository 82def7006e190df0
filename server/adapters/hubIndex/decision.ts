// What a decision about one bounty rests on, in one document: the bounty and its whole roster at P, and beside them what
// the index's head says of everything that can still change.

import type { Address, Hex } from 'viem';
import type { Snapshot } from '../hubIndex.ts';
import {
  absent,
  BOUNTY_FIELDS,
  BOUNTY_ROW,
  type BountyStatus,
  type FactSources,
  type IndexedBounty,
  type IndexedGuardian,
  notFinalYet,
  PAGE_ROWS,
  row,
} from './bounty.ts';
import { projectionUnavailable } from './graphql.ts';
import { pinnedQuery } from './pinnedQuery.ts';

/** The facts of one bounty, all at one P. */
export interface BountyFacts {
  readonly at: Snapshot;
  readonly bounty: IndexedBounty;
  readonly roster: readonly IndexedGuardian[];
  /** What the index's head says of the same bounty; not final, never to be acted on, only compared with. */
  readonly head: BountyHead;
}

/** The changeable part of a bounty at the index's head. */
export interface BountyHead {
  readonly status: BountyStatus;
  readonly winner: Address | null;
  readonly awardedSubmissionCommitment: Hex | null;
  readonly blockNumber: string;
  readonly createdAtBlock: string;
}

interface Decision {
  readonly bounty: (IndexedBounty & { roster: { members: IndexedGuardian[] } }) | null;
  readonly atHead: BountyHead | null;
}

const text = { type: 'string' };
const nullable = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });

const DECISION = pinnedQuery<Decision>({
  name: 'Decision',
  parameters: '$id: ID!',
  fields: `bounty(id: $id, block: {number: $pin}) {
    ${BOUNTY_FIELDS}
    roster { members(first: ${PAGE_ROWS}, orderBy: position) { account name encryptionPublicKey } }
  }
  atHead: bounty(id: $id) { status winner awardedSubmissionCommitment blockNumber createdAtBlock }`,
  schema: row({
    bounty: nullable({
      ...BOUNTY_ROW,
      properties: {
        ...(BOUNTY_ROW as { properties: object }).properties,
        roster: row({
          members: { type: 'array', items: row({ account: text, name: text, encryptionPublicKey: text }) },
        }),
      },
      required: [...(BOUNTY_ROW as { required: string[] }).required, 'roster'],
    }),
    atHead: nullable(
      row({
        status: text,
        winner: { type: ['string', 'null'] },
        awardedSubmissionCommitment: { type: ['string', 'null'] },
        blockNumber: text,
        createdAtBlock: text,
      }),
    ),
  }),
});

/**
 * The facts of a bounty.
 *
 * @throws ServiceError 404 `bounty_not_found`; 503 while it is not final or cannot be read
 */
export async function readBountyFacts(
  sources: FactSources,
  bountyId: string,
  at: Snapshot,
): Promise<BountyFacts> {
  const variables = { id: bountyId };
  const { bounty, atHead } = (await sources.hubIndex.readWithHead(DECISION, variables, at)).result;
  if (bounty === null) return explainAbsence(sources, variables, at);
  // A reorg took the bounty away between P and the head: P says what is final, but nothing may be decided now.
  if (atHead === null)
    throw projectionUnavailable('The index of Hub events lost a bounty that is final.', bountyId);
  const { roster, ...rest } = bounty;
  if (roster.members.length !== rest.rosterSize) {
    throw projectionUnavailable('The index of Hub events holds a roster in part.', rest.guardianRosterHash);
  }
  return { at, bounty: rest, roster: roster.members, head: atHead };
}

async function explainAbsence(sources: FactSources, variables: { id: string }, at: Snapshot): Promise<never> {
  const { result, head } = await sources.hubIndex.readFresh(DECISION, variables, at);
  if (result.atHead) throw notFinalYet(Number(result.atHead.createdAtBlock), at, sources.blockTimeSeconds);
  throw await absent('bounty_not_found', head.number, sources);
}

/**
 * Refuse to act on a status, winner or award that the head has already replaced.
 *
 * @throws ServiceError 503 with the wait that finality still needs
 */
export function requireSettledStatus(
  { bounty, head, at }: BountyFacts,
  { blockTimeSeconds }: FactSources,
): void {
  const same =
    bounty.status === head.status &&
    bounty.winner === head.winner &&
    bounty.awardedSubmissionCommitment === head.awardedSubmissionCommitment;
  if (!same) throw notFinalYet(Number(head.blockNumber), at, blockTimeSeconds);
}
