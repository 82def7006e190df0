// The funding Poster receives the winning work (specification section 4, delivery): with the retrieve answer, the content
// route and a key pair that is made here and used once. Nothing else is believed or needed.

import { getAddress, type Hex } from 'viem';
import { encodeBase64Url } from '../protocol/base64Url.ts';
import { openKey, posterBinding } from '../protocol/keyWrap.ts';
import { x25519PublicKey } from '../protocol/x25519KeyPair.ts';
import type { Retrieval } from './answers/delivery.ts';
import type { ServiceClient } from './client.ts';
import { decryptPackage } from './decryptPackage.ts';
import type { ReadSubmission } from './resources/submissions.ts';
import type { TransferOptions } from './transfer.ts';
import { contradictions, UntrustedAnswerError } from './untrustedAnswer.ts';

/** The winning Submission, and its package once. */
export interface ReceivedWork {
  readonly submissionCommitment: Hex;
  readonly retrieval: Retrieval;
  readonly submission: ReadSubmission;
  /** The packed folder (tar.gz) as it comes; can be taken once, the key is gone afterwards. */
  readonly package: AsyncGenerator<Uint8Array>;
}

/**
 * Receive it, as the Poster who signs.
 *
 * @throws ApiError, UntrustedAnswerError when Hub, retrieve answer, envelope and key do not belong together
 */
export async function receiveWork(
  { delivery, submissions, connection }: Pick<ServiceClient, 'delivery' | 'submissions' | 'connection'>,
  bountyId: bigint,
  options: TransferOptions = {},
): Promise<ReceivedWork> {
  const privateKey = crypto.getRandomValues(new Uint8Array(32));
  try {
    const retrieval = await delivery.retrieve(
      bountyId,
      encodeBase64Url(x25519PublicKey(privateKey)),
      options,
    );
    const submissionCommitment = retrieval.submission_commitment;
    const submission = await submissions.content(bountyId, submissionCommitment, options);
    const { envelope } = submission;
    const check = contradictions('The delivered key and the Submission do not belong together.');
    check.same('solver_address', retrieval.solver_address, envelope.context.solver_address);
    check.same('ciphertext.sha256', retrieval.ciphertext.sha256, envelope.bundle.ciphertext_sha256);
    check.done();
    const place = { context: envelope.context, submissionCommitment, keyId: retrieval.key_id };
    const poster = getAddress(connection.signer().address);
    const contentKey = await openKey(retrieval.wrapped_key, privateKey, posterBinding(place, poster));
    if (contentKey === undefined) {
      const message =
        'wrapped_key does not open with the key that was sent, for this Submission and this Poster.';
      throw new UntrustedAnswerError('The delivered key is unusable.', [{ path: 'wrapped_key', message }]);
    }
    const ciphertext = submissions.stream(submission.answer.ciphertext, options);
    return { submissionCommitment, retrieval, submission, package: decryptPackage(ciphertext, contentKey) };
  } finally {
    privateKey.fill(0);
  }
}
