// A Solver's way to a recorded Submission, and the way of whoever may read it (specification section 4). Everything that
// travels is sealed; sealing and opening happen elsewhere.

import { getAddress, type Hex } from 'viem';
import { ciphertextLocator } from '../../protocol/address.ts';
import { commitmentOf } from '../../protocol/commitment.ts';
import { type Envelope, parseEnvelope } from '../../protocol/envelope.ts';
import { submitCall } from '../../protocol/hubCalls.ts';
import { contextIssues } from '../../protocol/submissionContext.ts';
import {
  type CiphertextOffer,
  type SubmissionContent,
  type SubmissionPrepared,
  submissionContent,
  submissionPrepared,
  type UploadReceipt,
} from '../answers/submission.ts';
import type { CallOptions, Connection } from '../connection.ts';
import { downloadCiphertext, streamCiphertext } from '../downloadCiphertext.ts';
import { type CheckedCalls, checkPreparedCalls } from '../preparedCalls.ts';
import { readJson } from '../readAnswer.ts';
import type { TransferOptions } from '../transfer.ts';
import { contradictions, UntrustedAnswerError } from '../untrustedAnswer.ts';
import { type Ciphertext, uploadCiphertext } from '../uploadCiphertext.ts';

/** A stored envelope, and the call that records it. */
export interface PreparedSubmission {
  readonly answer: SubmissionPrepared;
  readonly calls: CheckedCalls;
}

/** A sealed Submission that hashes to the commitment that was asked for. */
export interface ReadSubmission {
  readonly answer: SubmissionContent;
  readonly envelope: Envelope;
  /** The envelope's exact bytes. */
  readonly envelopeBytes: Uint8Array<ArrayBuffer>;
}

/** The Submission routes. */
export interface Submissions {
  /** Upload a sealed package as the Solver who signs, with progress. */
  upload(bountyId: bigint, ciphertext: Ciphertext, options?: TransferOptions): Promise<UploadReceipt>;
  /**
   * Store an envelope as the Solver who signs.
   *
   * @throws ApiError with the service's issues, UntrustedAnswerError when the prepared call is not the derived one
   */
  prepare(
    bountyId: bigint,
    envelope: Uint8Array<ArrayBuffer>,
    options?: CallOptions,
  ): Promise<PreparedSubmission>;
  /**
   * Read a sealed Submission, as the funding Poster or a pinned Guardian.
   *
   * @throws UntrustedAnswerError when the envelope does not hash to the commitment or belongs elsewhere
   */
  content(bountyId: bigint, submissionCommitment: Hex, options?: CallOptions): Promise<ReadSubmission>;
  /** The whole ciphertext of an offer, verified. */
  download(offer: CiphertextOffer, options?: TransferOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** The same in chunks; throws before the last of them when the digest is wrong. */
  stream(offer: CiphertextOffer, options?: TransferOptions): AsyncGenerator<Uint8Array>;
}

/** The Submission routes of a connection. */
export function submissionsOf(connection: Connection): Submissions {
  const { chainId, hubAddress } = connection.deployment;
  return {
    upload: (bountyId, ciphertext, options) => uploadCiphertext(connection, bountyId, ciphertext, options),
    download: (offer, options) => downloadCiphertext(connection, offer, options),
    stream: (offer, options) => streamCiphertext(connection, offer, options),
    async prepare(bountyId, envelope, options = {}) {
      const solver = getAddress(connection.signer().address);
      const response = await connection.sign(
        {
          method: 'POST',
          target: `/api/bounties/${bountyId}/submissions/${solver}/prepare`,
          body: envelope,
          contentType: 'application/json',
        },
        options,
      );
      const answer = await readJson(response, submissionPrepared, options.signal);
      const commitment = commitmentOf(envelope);
      const check = contradictions('The API stored another envelope.');
      check.same('submission_commitment', answer.submission_commitment, commitment);
      check.done();
      const derived = { chainId, from: solver, calls: [submitCall(hubAddress, bountyId, commitment)] };
      return { answer, calls: checkPreparedCalls(answer.prepared, derived) };
    },
    async content(bountyId, submissionCommitment, options = {}) {
      const target = `/api/bounties/${bountyId}/submissions/${submissionCommitment}/content`;
      const response = await connection.sign({ method: 'GET', target }, options);
      const answer = await readJson(response, submissionContent, options.signal);
      const envelopeBytes = new TextEncoder().encode(answer.envelope);
      const check = contradictions('The API answers another Submission.');
      check.same('submission_commitment', answer.submission_commitment, submissionCommitment);
      check.same('the commitment of the envelope', commitmentOf(envelopeBytes), submissionCommitment);
      check.done();
      const envelope = envelopeOf(envelopeBytes);
      const { specCommitment } = await connection.hub.bounty(bountyId);
      const { context, bundle } = envelope;
      const place = { chainId, hubAddress, bountyId, solverAddress: context.solver_address, specCommitment };
      const foreign = contextIssues(context, place);
      if (foreign.length > 0) throw new UntrustedAnswerError('The envelope belongs elsewhere.', foreign);
      check.same('ciphertext.sha256', answer.ciphertext.sha256, bundle.ciphertext_sha256);
      check.same('ciphertext.byte_length', answer.ciphertext.byte_length, bundle.ciphertext_byte_length);
      check.same('storage.locator', envelope.storage.locator, ciphertextLocator(bundle.ciphertext_sha256));
      check.done();
      return { answer, envelope, envelopeBytes };
    },
  };
}

function envelopeOf(bytes: Uint8Array): Envelope {
  const parsed = parseEnvelope(bytes);
  if ('envelope' in parsed) return parsed.envelope;
  throw new UntrustedAnswerError('The API takes for an envelope what is none.', parsed.issues);
}
