// GET /api/bounties: finalized bounties by filter, newest first, in pages.

import { listBounties } from '../../adapters/hubIndex/bountyList.ts';
import { asOf } from '../../http/asOf.ts';
import { address, bountyId, integer, optional, word } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { bountySummary } from './bountyObject.ts';
import { BOUNTY_LIST_SCHEMA } from './bountySchema.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

/** The bounty list. */
export const bountyList = route({
  method: 'GET',
  route: '/api/bounties',
  operationId: 'listBounties',
  tag: 'Bounties',
  summary: 'List bounties, newest first.',
  path: {},
  query: {
    status: optional(word('Only bounties that stand here.', ['open', 'awarded', 'refunded', 'timed_out'])),
    poster: optional(address('Only bounties of this Poster.')),
    solver: optional(address('Only bounties with an active Submission of this Solver.')),
    guardian: optional(address('Only bounties whose pinned roster has this Guardian.')),
    limit: optional(integer(`Rows in a page, ${DEFAULT_LIMIT} unless given.`, 1, MAX_LIMIT)),
    cursor: optional(bountyId('next_cursor of the page before.')),
  },
  invalid: 'invalid_bounty_detail_request',
  body: { kind: 'none' },
  limited: false,
  success: {
    200: {
      description: 'A page of bounties.',
      contentType: 'application/json',
      schema: BOUNTY_LIST_SCHEMA,
      headers: { ETag: 'Names these bytes; send it as If-None-Match.' },
    },
  },
  errors: ['bounty_chain_state_unavailable', 'bounty_projection_unavailable', 'rate_limited'],
  async handle({ query, charge }, services) {
    const at = await services.hubIndex.snapshot();
    const filter = {
      status: query.status.value,
      poster: query.poster.value,
      solver: query.solver.value,
      guardian: query.guardian.value,
      before: query.cursor.value,
    };
    const limit = query.limit.value ?? DEFAULT_LIMIT;
    const key = `${at.pinned.hash} bounties ${JSON.stringify([filter, limit])}`;
    const { bytes, etag } = await services.answers.get(key, async () => {
      charge();
      const rows = await listBounties(services.hubIndex, filter, limit + 1, at);
      const page = rows.slice(0, limit);
      const json = {
        bounties: page.map((bounty) => bountySummary(services.config, bounty)),
        next_cursor: rows.length > limit ? page.at(-1)?.id : null,
        as_of: asOf(at),
      };
      return { json, complete: true };
    });
    return { status: 200, bytes, headers: { ETag: etag, 'Content-Type': 'application/json; charset=utf-8' } };
  },
});
