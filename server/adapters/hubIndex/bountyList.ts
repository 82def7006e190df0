// Bounties by filter, newest first, one page at one block.

import type { Address, Hex } from 'viem';
import type { HubIndex, Snapshot } from '../hubIndex.ts';
import {
  BOUNTY_FIELDS,
  BOUNTY_ROW,
  type BountyStatus,
  type IndexedBounty,
  PAGE_ROWS,
  row,
} from './bounty.ts';
import { projectionUnavailable } from './graphql.ts';
import { pinnedQuery } from './pinnedQuery.ts';

/** What a list can be narrowed by; addresses lower-case. */
export interface BountyFilter {
  readonly status?: BountyStatus | undefined;
  readonly poster?: Address | undefined;
  readonly solver?: Address | undefined;
  readonly guardian?: Address | undefined;
  /** Only bounties with a smaller id. */
  readonly before?: string | undefined;
}

const BOUNTIES = pinnedQuery<{ bounties: IndexedBounty[] }>({
  name: 'Bounties',
  parameters: '$first: Int!, $where: Bounty_filter!',
  fields: `bounties(first: $first, where: $where, orderBy: number, orderDirection: desc, block: {number: $pin})
    { ${BOUNTY_FIELDS} }`,
  schema: row({ bounties: { type: 'array', items: BOUNTY_ROW } }),
});

const MEMBERSHIPS = pinnedQuery<{ rosterMembers: { id: string; roster: { id: Hex } }[] }>({
  name: 'Memberships',
  parameters: '$account: Bytes!, $after: ID!',
  fields: `rosterMembers(first: ${PAGE_ROWS}, where: {account: $account, id_gt: $after}, orderBy: id, block: {number: $pin})
    { id roster { id } }`,
  schema: row({
    rosterMembers: {
      type: 'array',
      items: row({ id: { type: 'string' }, roster: row({ id: { type: 'string' } }) }),
    },
  }),
});

/** A page of at most `limit` bounties (1 to 100). @throws ServiceError 503 */
export async function listBounties(
  hubIndex: HubIndex,
  filter: BountyFilter,
  limit: number,
  at: Snapshot,
): Promise<readonly IndexedBounty[]> {
  const where: Record<string, unknown> = {};
  if (filter.status) where.status = filter.status;
  if (filter.poster) where.poster = filter.poster;
  if (filter.solver) where.submissions_ = { solver: filter.solver };
  if (filter.before !== undefined) where.number_lt = filter.before;
  if (filter.guardian) {
    where.guardianRosterHash_in = await rostersWith(hubIndex, filter.guardian, at);
  }
  const { bounties } = await hubIndex.read(BOUNTIES, { first: limit, where }, at);
  if (bounties.length > limit)
    throw projectionUnavailable('The index of Hub events sent too many rows.', undefined);
  return bounties;
}

async function rostersWith(hubIndex: HubIndex, account: Address, at: Snapshot): Promise<readonly Hex[]> {
  const rosters: Hex[] = [];
  for (let after = '', more = true; more; ) {
    const { rosterMembers } = await hubIndex.read(MEMBERSHIPS, { account, after }, at);
    rosters.push(...rosterMembers.map(({ roster }) => roster.id));
    after = rosterMembers.at(-1)?.id ?? '';
    more = rosterMembers.length === PAGE_ROWS;
  }
  return rosters;
}
