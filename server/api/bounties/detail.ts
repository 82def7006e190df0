// GET /api/bounties/{bounty_id} (specification section 2): the finalized bounty with its challenge.
// The challenge is shown only when its bytes hash to spec_commitment; a missing or wrong byte is said, at 200.

import type { Hex } from 'viem';
import type { DocumentState } from '../../adapters/documentReader.ts';
import { readBounty, readRoster, readSubmissions } from '../../adapters/hubIndex/bounty.ts';
import type { Snapshot } from '../../adapters/hubIndex.ts';
import type { Services } from '../../adapters/services.ts';
import { type RecordState, readVerificationRecord } from '../../adapters/verificationRecord.ts';
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
      headers: { ETag: 'Names these bytes; send it as If-None-Match.' },
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
    services.documents.read(bounty.specCommitment),
  ]);
  const bytes = challenge.state === 'found' ? challenge.bytes : undefined;
  const json = {
    bounty: bountyObject(config, bounty, roster, submissions),
    ...shownChallenge(challenge, bounty.specCommitment, services),
    ...shownRecord(await readVerificationRecord(services, bounty, bytes, at)),
    as_of: asOf(at),
  };
  return { json, complete: bytes !== undefined };
}

function shownChallenge(document: DocumentState, specCommitment: Hex, { metrics, log }: Services) {
  if (document.state === 'found') return { challenge: asMarkdown(document.bytes) };
  if (document.state !== 'mismatch') return { challenge: null };
  metrics.storageMismatches.inc();
  log.error({ specCommitment }, 'the stored challenge does not hash to its commitment');
  return { challenge: null, error: errorObject('bounty_challenge_content_mismatch') };
}

function shownRecord(state: RecordState) {
  return 'record' in state
    ? { verification_record: state.record }
    : { verification_record_error: errorObject(state.code) };
}

// Anyone can fund a bounty over any bytes: what is not text cannot be shown as Markdown.
function asMarkdown(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
