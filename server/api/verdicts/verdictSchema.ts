// JSON Schema of the stored confirmation, for OpenAPI and the contract tests.

import { AS_OF, BYTES32, closed, INTEGER, prepared, TEXT } from '../../http/answerSchema.ts';

/** The answer of a publication. */
export const STORED_VERDICT_SCHEMA = closed({
  report_commitment: BYTES32,
  byte_length: INTEGER,
  storage_locator: TEXT,
  prepared: prepared(),
  as_of: AS_OF,
});
