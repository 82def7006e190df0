// JSON Schemas of the Submission answers, for OpenAPI and the contract tests.

import { AS_OF, BYTES32, CIPHERTEXT, closed, prepared, TEXT, TIMESTAMP } from '../../http/answerSchema.ts';

/** The answer of prepare. */
export const PREPARED_SUBMISSION_SCHEMA = closed({
  submission_commitment: BYTES32,
  storage_locator: TEXT,
  retained_until: TIMESTAMP,
  prepared: prepared(),
  as_of: AS_OF,
});

/** The answer of content. */
export const SUBMISSION_CONTENT_SCHEMA = closed({
  submission_commitment: BYTES32,
  envelope: { type: 'string', description: 'The canonical JSON text, exactly as committed.' },
  ciphertext: CIPHERTEXT,
  as_of: AS_OF,
});
