// POST …/delivery/wrap: a Guardian hands over a content key, wrapped to the deployment's delivery key. It is stored only
// when it opens with that key AND its content opens the stored ciphertext: a bogus key can never block a delivery.

import type { Address, Hex } from 'viem';
import { notFinalYet } from '../../adapters/hubIndex/bounty.ts';
import type { BountyFacts } from '../../adapters/hubIndex/decision.ts';
import { readActiveSubmission } from '../../adapters/hubIndex/submission.ts';
import type { Services } from '../../adapters/services.ts';
import { pinnedGuardian } from '../../auth/policies/pinnedGuardian.ts';
import { jsonBody } from '../../http/jsonBody.ts';
import { bountyId } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { opensAgeFile } from '../../protocol/ageIdentity.ts';
import { MAX_AGE_HEADER_BYTES } from '../../protocol/ageSize.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import { type Issue, ServiceError } from '../../protocol/errors.ts';
import { address, bytes32, wrappedKey } from '../../protocol/schemas.ts';
import { readSubmissionEnvelope, type SubmissionName } from './submissionEnvelope.ts';

interface WrapRequest {
  readonly solver_address: Address;
  readonly submission_commitment: Hex;
  readonly wrapped_key: string;
}

const BODY = {
  type: 'object',
  properties: { solver_address: address, submission_commitment: bytes32, wrapped_key: wrappedKey },
  required: ['solver_address', 'submission_commitment', 'wrapped_key'],
  additionalProperties: false,
};

const ANSWER = {
  type: 'object',
  properties: {
    stored: { const: true },
    bounty_id: { type: 'string' },
    submission_commitment: { type: 'string' },
  },
  required: ['stored', 'bounty_id', 'submission_commitment'],
  additionalProperties: false,
};

/** The route. */
export const wrap = route({
  method: 'POST',
  route: '/api/bounties/{bounty_id}/delivery/wrap',
  operationId: 'wrapDeliveryKey',
  tag: 'Delivery',
  summary: "Hand a Submission's content key over, wrapped to the delivery key.",
  path: { bounty_id: bountyId() },
  query: {},
  invalid: 'invalid_winning_solution_delivery',
  body: jsonBody<WrapRequest>(BODY),
  policy: pinnedGuardian,
  limited: true,
  success: {
    200: { description: 'A wrap was stored before.', contentType: 'application/json', schema: ANSWER },
    201: { description: 'The wrap is stored.', contentType: 'application/json', schema: ANSWER },
  },
  errors: ['bounty_not_found', 'solver_submission_content_invalid', 'storage_unavailable'],
  async handle({ path, body, facts }, services) {
    const name = {
      solver: body.solver_address.toLowerCase() as Address,
      submissionCommitment: body.submission_commitment.toLowerCase() as Hex,
    };
    requireDeadlinePassed(facts, services);
    await requireActive(name, facts, services);
    const envelope = await readSubmissionEnvelope(name, facts, services);
    const keyId = await verifiedKeyId(body.wrapped_key, name, envelope, services);
    const subject = { bountyId: path.bounty_id, ...name };
    const isFirst = await services.deliveryWraps.store(subject, { keyId, wrappedKey: body.wrapped_key });
    return {
      status: isFirst ? 201 : 200,
      json: { stored: true, bounty_id: path.bounty_id, submission_commitment: name.submissionCommitment },
    };
  },
});

const refused = (issue: Issue): ServiceError =>
  new ServiceError('invalid_winning_solution_delivery', { issues: [issue] });

/** By P's own timestamp: before it nobody can hold the key, and what came later at the head may be dropped. */
function requireDeadlinePassed(
  { bounty, at }: BountyFacts,
  { chain, facts: { blockTimeSeconds } }: Services,
): void {
  const deadline = Number(bounty.submissionDeadline);
  if (at.pinned.timestamp >= deadline) return;
  const head = chain.head();
  if (head.timestamp >= deadline) throw notFinalYet(head.number, at, blockTimeSeconds);
  const message = `Keys are time-locked until the submission deadline ${deadline}: the chain's clock is at ${head.timestamp}.`;
  throw refused({ path: 'bounty', message });
}

async function requireActive(
  name: SubmissionName,
  { bounty, at }: BountyFacts,
  services: Services,
): Promise<void> {
  const active = await readActiveSubmission(services.facts, bounty.id, name.solver, at);
  if (active === name.submissionCommitment) return;
  const message =
    active === undefined
      ? 'This Solver has no Submission here.'
      : "This is not the Solver's current active Submission.";
  throw refused({ path: '/submission_commitment', message });
}

/** The delivery key that opens the wrap, once its content key was proven to open the stored ciphertext. */
async function verifiedKeyId(
  wrapped: string,
  { submissionCommitment }: SubmissionName,
  { context, storage }: Envelope,
  { deliveryKeys, byteStore }: Services,
): Promise<string> {
  for (const keyId of deliveryKeys.keyIds) {
    const contentKey = await deliveryKeys.open(wrapped, { context, submissionCommitment, keyId });
    if (contentKey === undefined) continue;
    try {
      if (await opensAgeFile(contentKey, await readHead(storage.locator, byteStore))) return keyId;
    } finally {
      contentKey.fill(0);
    }
    throw refused({
      path: '/wrapped_key',
      message: 'The wrapped key does not open the ciphertext of this Submission.',
    });
  }
  throw refused({
    path: '/wrapped_key',
    message: "The wrap does not open with this deployment's delivery key.",
  });
}

async function readHead(locator: string, byteStore: Services['byteStore']): Promise<Uint8Array> {
  const stored = await byteStore.statCiphertext(locator);
  if (stored === undefined) {
    const message = 'The storage does not hold the ciphertext now.';
    throw new ServiceError('storage_unavailable', { message, retryAfterSeconds: 60 });
  }
  const length = Math.min(MAX_AGE_HEADER_BYTES, stored.byteLength);
  const chunks: Uint8Array[] = [];
  for await (const chunk of byteStore.readCiphertext(locator, { offset: 0, length })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
