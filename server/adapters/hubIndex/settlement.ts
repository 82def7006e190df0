// How a bounty ended and which Verdicts carried it, at P. No Verdict can be recorded after the end, so the current ones
// are those of the settlement.

import type { Address, Hex } from 'viem';
import type { HubIndex, Snapshot } from '../hubIndex.ts';
import { PAGE_ROWS, row } from './bounty.ts';
import { projectionUnavailable } from './graphql.ts';
import { pinnedQuery } from './pinnedQuery.ts';

interface EventPlace {
  readonly blockNumber: string;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: string;
}

/** The settling event; `matchHash` and `matching` are null when timed out. */
export interface IndexedSettlement extends EventPlace {
  readonly status: 'awarded' | 'refunded' | 'timed_out';
  readonly winner: Address | null;
  readonly submissionCommitment: Hex | null;
  readonly paidAmount: string;
  readonly matchHash: Hex | null;
  readonly matching: number | null;
  readonly settledAt: string;
}

/** A current Verdict that matched at settlement. */
export interface IndexedSupport extends EventPlace {
  readonly guardian: Address;
  readonly reportCommitment: Hex;
}

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const PLACE = { blockNumber: text, blockHash: text, transactionHash: text, logIndex: text };
const PLACE_FIELDS = 'blockNumber blockHash transactionHash logIndex';

const SETTLEMENT = pinnedQuery<{ settlement: IndexedSettlement | null }>({
  name: 'Settlement',
  parameters: '$id: ID!',
  fields: `settlement(id: $id, block: {number: $pin})
    { status winner submissionCommitment paidAmount matchHash matching settledAt ${PLACE_FIELDS} }`,
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
  }),
});

const SUPPORT = pinnedQuery<{ verdicts: IndexedSupport[] }>({
  name: 'Support',
  parameters: '$bounty: String!, $matchHash: Bytes!',
  fields: `verdicts(first: ${PAGE_ROWS}, where: {bounty: $bounty, matchHash: $matchHash}, block: {number: $pin})
    { guardian reportCommitment ${PLACE_FIELDS} }`,
  schema: row({
    verdicts: { type: 'array', items: row({ guardian: text, reportCommitment: text, ...PLACE }) },
  }),
});

const RECORDED_REPORT = pinnedQuery<{ verdictRevisions: { id: string }[] }>({
  name: 'RecordedReport',
  parameters: '$bounty: String!, $guardian: Bytes!, $report: Bytes!',
  fields: `verdictRevisions(first: 1, block: {number: $pin},
    where: {bounty: $bounty, guardian: $guardian, reportCommitment: $report}) { id }`,
  schema: row({ verdictRevisions: { type: 'array', items: row({ id: text }) } }),
});

/** The end of a bounty that is not open at P. @throws ServiceError 503 when the index lacks it */
export async function readSettlement(
  hubIndex: HubIndex,
  bountyId: string,
  at: Snapshot,
): Promise<IndexedSettlement> {
  const { settlement } = await hubIndex.read(SETTLEMENT, { id: bountyId }, at);
  if (settlement) return settlement;
  throw projectionUnavailable(
    'The index of Hub events lacks the settlement of a bounty that ended.',
    bountyId,
  );
}

/** The Verdicts that agreed on `matchHash`. @throws ServiceError 503 */
export async function readSupport(
  hubIndex: HubIndex,
  bountyId: string,
  matchHash: Hex,
  at: Snapshot,
): Promise<readonly IndexedSupport[]> {
  const { verdicts } = await hubIndex.read(SUPPORT, { bounty: bountyId, matchHash }, at);
  if (verdicts.length < PAGE_ROWS) return verdicts;
  throw projectionUnavailable('The index of Hub events sent a full page of Verdicts.', bountyId);
}

/** Whether this Guardian ever recorded this report in this bounty. @throws ServiceError 503 */
export async function hasRecordedReport(
  hubIndex: HubIndex,
  bountyId: string,
  guardian: Address,
  report: Hex,
  at: Snapshot,
): Promise<boolean> {
  const { verdictRevisions } = await hubIndex.read(
    RECORDED_REPORT,
    { bounty: bountyId, guardian, report },
    at,
  );
  return verdictRevisions.length > 0;
}
