// POST …/delivery/retrieve: the winning Submission's content key, rewrapped to a fresh key of the funding Poster. Only
// when the finalized state is awarded and names that Submission; never a stored wrap as it is, never plaintext.

import type { Address, Hex } from 'viem';
import { getAddress } from 'viem';
import { type BountyFacts, requireSettledStatus } from '../../adapters/hubIndex/decision.ts';
import type { Services } from '../../adapters/services.ts';
import { fundingPoster } from '../../auth/policies/fundingPoster.ts';
import { asOf } from '../../http/asOf.ts';
import { jsonBody } from '../../http/jsonBody.ts';
import { bountyId } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { decodeBase64Url } from '../../protocol/base64Url.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { type DeliveryPlace, posterBinding, wrapKey } from '../../protocol/keyWrap.ts';
import { x25519PublicKey } from '../../protocol/schemas.ts';
import { RETRIEVAL_SCHEMA } from './retrievalSchema.ts';
import { readSubmissionEnvelope, type SubmissionName } from './submissionEnvelope.ts';

interface RetrieveRequest {
  readonly poster_ephemeral_public_key: string;
}

const BODY = {
  type: 'object',
  properties: { poster_ephemeral_public_key: x25519PublicKey },
  required: ['poster_ephemeral_public_key'],
  additionalProperties: false,
};

/** The route. */
export const retrieve = route({
  method: 'POST',
  route: '/api/bounties/{bounty_id}/delivery/retrieve',
  operationId: 'retrieveWinningSubmission',
  tag: 'Delivery',
  summary: "Retrieve the winning Submission's key, rewrapped to a fresh key.",
  path: { bounty_id: bountyId() },
  query: {},
  invalid: 'invalid_winning_solution_delivery',
  body: jsonBody<RetrieveRequest>(BODY),
  policy: fundingPoster,
  limited: true,
  success: {
    200: { description: 'The rewrapped key.', contentType: 'application/json', schema: RETRIEVAL_SCHEMA },
  },
  errors: [
    'bounty_not_found',
    'delivery_not_ready',
    'solver_submission_content_invalid',
    'storage_unavailable',
  ],
  async handle({ body, facts }, services) {
    const winner = requireAwarded(facts, services);
    const envelope = await readSubmissionEnvelope(winner, facts, services);
    const stored = await services.deliveryWraps.find({ bountyId: facts.bounty.id, ...winner });
    if (stored === undefined) throw new ServiceError('delivery_not_ready');
    const place = {
      context: envelope.context,
      submissionCommitment: winner.submissionCommitment,
      keyId: stored.keyId,
    };
    const publicKey = decodeBase64Url(body.poster_ephemeral_public_key);
    const wrappedKey = await rewrap(stored.wrappedKey, place, facts.bounty.poster, publicKey!, services);
    const ciphertext = await services.offerCiphertext({
      locator: envelope.storage.locator,
      sha256: envelope.bundle.ciphertext_sha256,
      byteLength: envelope.bundle.ciphertext_byte_length,
    });
    return {
      status: 200,
      json: {
        bounty_id: facts.bounty.id,
        submission_commitment: winner.submissionCommitment,
        solver_address: getAddress(winner.solver),
        key_id: stored.keyId,
        wrapped_key: wrappedKey,
        ciphertext,
        as_of: asOf(facts.at),
      },
    };
  },
});

/** The awarded Submission. @throws ServiceError 400 with the state, 503 while the award is not final */
function requireAwarded(facts: BountyFacts, { facts: sources }: Services): SubmissionName {
  requireSettledStatus(facts, sources);
  const { status, winner, awardedSubmissionCommitment } = facts.bounty;
  if (status === 'awarded' && winner !== null && awardedSubmissionCommitment !== null) {
    return { solver: winner, submissionCommitment: awardedSubmissionCommitment };
  }
  const message = `The bounty is ${status}: only the winning Submission of an awarded bounty is delivered.`;
  throw new ServiceError('invalid_winning_solution_delivery', { issues: [{ path: 'bounty', message }] });
}

async function rewrap(
  wrapped: string,
  place: DeliveryPlace & { readonly submissionCommitment: Hex },
  poster: Address,
  publicKey: Uint8Array<ArrayBuffer>,
  { deliveryKeys, log }: Services,
): Promise<string> {
  const contentKey = await deliveryKeys.open(wrapped, place);
  if (contentKey === undefined) {
    log.error(
      { keyId: place.keyId },
      'a stored wrap does not open: its delivery key is not configured any more',
    );
    throw new ServiceError('service_unavailable', {
      message: 'The delivery key that this Submission was wrapped to is not at hand.',
      retryAfterSeconds: 300,
    });
  }
  try {
    return await wrapKey(contentKey, publicKey, posterBinding(place, poster));
  } finally {
    contentKey.fill(0);
  }
}
