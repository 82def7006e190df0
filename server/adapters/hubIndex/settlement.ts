// How a bounty ended and which Verdicts carried it, at P, in one document. No Verdict can be recorded after the end, so
// the current ones are those of the settlement. And whether a Guardian ever recorded a report.

import type { Address, Hex } from 'viem';
import type { HubIndex, Snapshot } from '../hubIndex.ts';
import { type FactSources, notFinalYet, PAGE_ROWS, row } from './bounty.ts';
import { projectionUnavailable } from './graphql.ts';
import { pinnedQuery } from './pinnedQuery.ts';

/** Where an event stands on the chain; numbers are decimal strings as GraphQL sends them. */
export interface IndexedPlace {
  readonly blockNumber: string;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: string;
}

/** The settling event; `matchHash` and `matching` are null when timed out. */
export interface IndexedSettlement extends IndexedPlace {
  readonly status: 'awarded' | 'refunded' | 'timed_out';
  readonly winner: Address | null;
  readonly submissionCommitment: Hex | null;
  readonly paidAmount: string;
  readonly matchHash: Hex | null;
  readonly matching: number | null;
  readonly settledAt: string;
}

/** A Guardian's current Verdict. */
export interface IndexedVerdict extends IndexedPlace {
  readonly guardian: Address;
  readonly reportCommitment: Hex;
  readonly matchHash: Hex;
}

/** The end of a bounty, and every Verdict that stood then. */
export interface IndexedEnd {
  readonly settlement: IndexedSettlement;
  readonly verdicts: readonly IndexedVerdict[];
}

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const PLACE = { blockNumber: text, blockHash: text, transactionHash: text, logIndex: text };
const PLACE_FIELDS = 'blockNumber blockHash transactionHash logIndex';

const END = pinnedQuery<{ settlement: IndexedSettlement | null; verdicts: IndexedVerdict[] }>({
  name: 'End',
  parameters: '$id: ID!, $bounty: String!',
  fields: `settlement(id: $id, block: {number: $pin})
    { status winner submissionCommitment paidAmount matchHash matching settledAt ${PLACE_FIELDS} }
  verdicts(first: ${PAGE_ROWS}, where: {bounty: $bounty}, block: {number: $pin})
    { guardian reportCommitment matchHash ${PLACE_FIELDS} }`,
  schema: row({
    settlement: {
      anyOf: [
        row({
          status: { enum: ['awarded', 'refunded', 'timed_out'] },
          winner: textOrNull,
          submissionCommitment: textOrNull,
          paidAmount: text,
          matchHash: textOrNull,
          matching: { type: ['integer', 'null'] },
          settledAt: text,
          ...PLACE,
        }),
        { type: 'null' },
      ],
    },
    verdicts: {
      type: 'array',
      items: row({ guardian: text, reportCommitment: text, matchHash: text, ...PLACE }),
    },
  }),
});

interface Recorded {
  readonly verdictRevisions: readonly { readonly id: string }[];
  readonly atHead: readonly { readonly blockNumber: string }[];
}

const REPORT = 'first: 1, where: {bounty: $bounty, guardian: $guardian, reportCommitment: $report}';

const RECORDED_REPORT = pinnedQuery<Recorded>({
  name: 'RecordedReport',
  parameters: '$bounty: String!, $guardian: Bytes!, $report: Bytes!',
  fields: `verdictRevisions(${REPORT}, block: {number: $pin}) { id }
  atHead: verdictRevisions(${REPORT}, orderBy: blockNumber) { blockNumber }`,
  schema: row({
    verdictRevisions: { type: 'array', items: row({ id: text }) },
    atHead: { type: 'array', items: row({ blockNumber: text }) },
  }),
});

/** The end of a bounty that is not open at P. @throws ServiceError 503 when the index lacks it or a part of it */
export async function readEnd(hubIndex: HubIndex, bountyId: string, at: Snapshot): Promise<IndexedEnd> {
  const { settlement, verdicts } = await hubIndex.read(END, { id: bountyId, bounty: bountyId }, at);
  if (settlement === null) {
    throw projectionUnavailable(
      'The index of Hub events lacks the settlement of a bounty that ended.',
      bountyId,
    );
  }
  if (verdicts.length === PAGE_ROWS)
    throw projectionUnavailable('The index of Hub events sent a full page of Verdicts.', bountyId);
  return { settlement, verdicts };
}

/**
 * Whether this Guardian ever recorded this report in this bounty, by P.
 *
 * @throws ServiceError 503 while it is recorded but not final, or cannot be told
 */
export async function hasRecordedReport(
  { hubIndex, blockTimeSeconds }: FactSources,
  bountyId: string,
  guardian: Address,
  report: Hex,
  at: Snapshot,
): Promise<boolean> {
  const { result } = await hubIndex.readFresh(RECORDED_REPORT, { bounty: bountyId, guardian, report }, at);
  if (result.verdictRevisions.length > 0) return true;
  const [pending] = result.atHead;
  if (pending === undefined) return false;
  throw notFinalYet(Number(pending.blockNumber), at, blockTimeSeconds);
}
