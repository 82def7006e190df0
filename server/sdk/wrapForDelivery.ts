// A Guardian hands a Submission's content key over for delivery: wrapped to the deployment's delivery key and bound to
// this one Submission (specification section 4, delivery). Whether the key opens the work is the server's to prove.

import { decodeBase64Url } from '../protocol/base64Url.ts';
import { deliveryBinding, wrapKey } from '../protocol/keyWrap.ts';
import type { WrapReceipt } from './answers/delivery.ts';
import type { ServiceClient } from './client.ts';
import type { CallOptions } from './connection.ts';
import type { ReadSubmission } from './resources/submissions.ts';

/**
 * Wrap and send, as the pinned Guardian who signs; may be repeated, also by other Guardians.
 *
 * @param submission As it was read and checked by `submissions.content`
 * @param contentKey 32 bytes; the caller zeroes them afterwards
 * @throws ApiError, UntrustedAnswerError for a delivery key that cannot be used
 */
export async function wrapForDelivery(
  client: Pick<ServiceClient, 'delivery'>,
  bountyId: bigint,
  { envelope, answer }: ReadSubmission,
  contentKey: Uint8Array<ArrayBuffer>,
  options: CallOptions = {},
): Promise<WrapReceipt> {
  const key = await client.delivery.key(options);
  const submissionCommitment = answer.submission_commitment;
  const place = { context: envelope.context, submissionCommitment, keyId: key.key_id };
  const publicKey = decodeBase64Url(key.public_key) as Uint8Array<ArrayBuffer>;
  const wrappedKey = await wrapKey(contentKey, publicKey, deliveryBinding(place));
  const solverAddress = envelope.context.solver_address;
  return client.delivery.wrap(bountyId, { solverAddress, submissionCommitment, wrappedKey }, options);
}
