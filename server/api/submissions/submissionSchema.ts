// JSON Schemas of the Submission answers, for OpenAPI and the contract tests.

const bytes32 = { type: 'string', pattern: '^0x[0-9a-f]{64}$' };

const closed = (properties: Record<string, object>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const AS_OF = closed({ block_number: { type: 'integer' }, block_hash: bytes32 });

/** Prepared calls, as EIP-5792 wallets take them. */
const PREPARED = closed({
  chain_id: { type: 'integer' },
  from: { type: 'string' },
  calls: {
    type: 'array',
    items: closed({
      to: { type: 'string' },
      value: { type: 'string' },
      data: { type: 'string' },
      function_name: { type: 'string' },
      args: { type: 'object' },
    }),
  },
});

/** The answer of prepare. */
export const PREPARED_SUBMISSION_SCHEMA = closed({
  submission_commitment: bytes32,
  storage_locator: { type: 'string' },
  retained_until: { type: 'integer' },
  prepared: PREPARED,
  as_of: AS_OF,
});

/** The answer of content. */
export const SUBMISSION_CONTENT_SCHEMA = closed({
  submission_commitment: bytes32,
  envelope: { type: 'string', description: 'The canonical JSON text, exactly as committed.' },
  ciphertext: closed({
    url: { type: 'string' },
    expires_at: { type: 'integer' },
    sha256: { type: 'string' },
    byte_length: { type: 'integer' },
    dag_root: { type: 'string' },
  }),
  as_of: AS_OF,
});
