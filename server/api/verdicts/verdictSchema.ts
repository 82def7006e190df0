// JSON Schema of the stored confirmation, for OpenAPI and the contract tests.

const closed = (properties: Record<string, object>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const text = { type: 'string' };
const integer = { type: 'integer' };

/** The answer of a publication. */
export const STORED_VERDICT_SCHEMA = closed({
  report_commitment: text,
  byte_length: integer,
  storage_locator: text,
  prepared: closed({
    chain_id: integer,
    from: text,
    calls: {
      type: 'array',
      items: closed({ to: text, value: text, data: text, function_name: text, args: { type: 'object' } }),
    },
  }),
  as_of: closed({ block_number: integer, block_hash: text }),
});
