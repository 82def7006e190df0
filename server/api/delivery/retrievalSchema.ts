// JSON Schema of the retrieval's answer, for OpenAPI and the contract tests.

import { ADDRESS, AS_OF, BYTES32, CIPHERTEXT, closed, TEXT } from '../../http/answerSchema.ts';

/** The answer of retrieve. */
export const RETRIEVAL_SCHEMA = closed({
  bounty_id: TEXT,
  submission_commitment: BYTES32,
  solver_address: ADDRESS,
  key_id: TEXT,
  wrapped_key: TEXT,
  ciphertext: CIPHERTEXT,
  as_of: AS_OF,
});
