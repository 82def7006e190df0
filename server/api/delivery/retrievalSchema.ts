// JSON Schema of the retrieval's answer, for OpenAPI and the contract tests.

const closed = (properties: Record<string, object>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const text = { type: 'string' };
const integer = { type: 'integer' };

/** The answer of retrieve. */
export const RETRIEVAL_SCHEMA = closed({
  bounty_id: text,
  submission_commitment: text,
  solver_address: text,
  key_id: text,
  wrapped_key: text,
  ciphertext: closed({ url: text, expires_at: integer, sha256: text, byte_length: integer, dag_root: text }),
  as_of: closed({ block_number: integer, block_hash: text }),
});
