// JSON Schema of the publication's answer, for OpenAPI and the contract tests.

const closed = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const text = { type: 'string' };
const integer = { type: 'integer' };

const CALL = closed({ to: text, value: text, data: text, function_name: text, args: { type: 'object' } });

/** The answer of prepare-publication. */
export const PUBLICATION_SCHEMA = closed({
  spec_commitment: text,
  byte_length: integer,
  storage_locator: text,
  guardian_roster_hash: text,
  fee_policy: closed({
    fee_bps: integer,
    treasury: text,
    charged_on: { const: 'award' },
    fee_amount: text,
    net_reward_amount: text,
  }),
  prepared: closed(
    {
      chain_id: integer,
      from: text,
      calls: { type: 'array', items: CALL },
      permit: closed({ typed_data: { type: 'object' }, function_name: text }),
    },
    ['permit'],
  ),
  as_of: closed({ block_number: integer, block_hash: text }),
});
