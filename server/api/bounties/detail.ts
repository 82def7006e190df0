// GET /api/bounties/{bounty_id} (specification section 2): the finalized bounty with its challenge.
// The challenge is shown only when its bytes hash to spec_commitment; a missing or wrong byte is said, at 200.

import type { Hex } from 'viem';
import { readBounty, readRoster, readSubmissions } from '../../adapters/hubIndex/bounty.ts';
import type { Snapshot } from '../../adapters/hubIndex.ts';
import type { Services } from '../../adapters/services.ts';
import { asOf } from '../../http/asOf.ts';
import { bountyId } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { errorObject } from '../../protocol/errors.ts';
import { bountyObject } from './bountyObject.ts';
import { BOUNTY_DETAIL_SCHEMA } from './bountySchema.ts';

/** The bounty read. */
export const bountyDetail = route({
  method: 'GET',
  route: '/api/bounties/{bounty_id}',
  operationId: 'getBounty',
  tag: 'Bounties',
  summary: 'Read one bounty, its challenge and, once final, its VerificationRecord.',
  path: { bounty_id: bountyId() },
  query: {},
  invalid: 'invalid_bounty_detail_request',
  body: { kind: 'none' },
  limited: false,
  success: {
    200: {
      description: 'The bounty at the finalized block.',
      contentType: 'application/json',
      schema: BOUNTY_DETAIL_SCHEMA,
    },
  },
  errors: [
    'bounty_not_found',
    'bounty_chain_state_unavailable',
    'bounty_projection_unavailable',
    'rate_limited',
  ],
  async handle({ path, charge }, services) {
    const at = await services.hubIndex.snapshot();
    const { bytes, etag } = await services.answers.get(`${at.pinned.hash} bounty ${path.bounty_id}`, () => {
      charge();
      return readDetail(path.bounty_id, at, services);
    });
    return { status: 200, bytes, headers: { ETag: etag, 'Content-Type': 'application/json; charset=utf-8' } };
  },
});

async function readDetail(id: string, at: Snapshot, services: Services) {
  const { facts, config } = services;
  const bounty = await readBounty(facts, id, at);
  const [roster, submissions, challenge] = await Promise.all([
    readRoster(facts, bounty, at),
    readSubmissions(facts, bounty, at),
    readChallenge(bounty.specCommitment, services),
  ]);
  return {
    json: { bounty: bountyObject(config, bounty, roster, submissions), ...challenge.shown, as_of: asOf(at) },
    complete: challenge.complete,
  };
}

async function readChallenge(specCommitment: Hex, { documents, metrics, log }: Services) {
  const document = await documents.read(specCommitment);
  switch (document.state) {
    case 'found': {
      const challenge = asMarkdown(document.bytes);
      return { shown: { challenge }, complete: true };
    }
    case 'mismatch': {
      metrics.storageMismatches.inc();
      log.error({ specCommitment }, 'the stored challenge does not hash to its commitment');
      const error = errorObject('bounty_challenge_content_mismatch');
      return { shown: { challenge: null, error }, complete: false };
    }
    default:
      return { shown: { challenge: null }, complete: false };
  }
}

// Anyone can fund a bounty over any bytes: what is not text cannot be shown as Markdown.
function asMarkdown(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
