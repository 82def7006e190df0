// The answers of a Solver's way, and of whoever reads a Submission.

import { asOf } from './bounty.ts';
import { preparedCalls } from './prepared.ts';
import { hash32, httpUrl, one, type Read, record, text, texts, whole } from './shape.ts';

/** Where to send a ciphertext, once. */
export const uploadOffer = record({
  storage_locator: text,
  upload: record({ method: one('PUT'), url: httpUrl, headers: texts, expires_at: whole }),
});

/** A stored ciphertext. */
export const uploadReceipt = record({
  storage_locator: text,
  ciphertext_sha256: text,
  ciphertext_byte_length: whole,
  dag_root: text,
  retained_until: whole,
});

/** A stored envelope and the submit call. */
export const submissionPrepared = record({
  submission_commitment: hash32,
  storage_locator: text,
  retained_until: whole,
  prepared: preparedCalls,
  as_of: asOf,
});

/** Where a ciphertext can be downloaded for a short time. */
export const ciphertextOffer = record({
  url: httpUrl,
  expires_at: whole,
  sha256: text,
  byte_length: whole,
  dag_root: text,
});

/** A sealed Submission. */
export const submissionContent = record({
  submission_commitment: hash32,
  /** The canonical JSON text, exactly as committed. */
  envelope: text,
  ciphertext: ciphertextOffer,
  as_of: asOf,
});

/** Where to send a ciphertext, once. */
export type UploadOffer = Read<typeof uploadOffer>;
/** A stored ciphertext. */
export type UploadReceipt = Read<typeof uploadReceipt>;
/** A stored envelope and the submit call. */
export type SubmissionPrepared = Read<typeof submissionPrepared>;
/** Where a ciphertext can be downloaded for a short time. */
export type CiphertextOffer = Read<typeof ciphertextOffer>;
/** A sealed Submission. */
export type SubmissionContent = Read<typeof submissionContent>;
