// JSON Schemas of the bounty answers, for OpenAPI and the contract tests.

const address = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' };
const bytes32 = { type: 'string', pattern: '^0x[0-9a-f]{64}$' };
const timestamp = { type: 'integer', minimum: 0, description: 'Unix seconds.' };
const amount = { type: 'string', pattern: '^(0|[1-9][0-9]*)$', description: "In the token's smallest unit." };

const closed = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const SUMMARY = {
  chain_id: { type: 'integer' },
  hub_address: address,
  bounty_id: { type: 'string' },
  poster: address,
  status: { type: 'string', enum: ['open', 'awarded', 'refunded', 'timed_out'] },
  winner: { anyOf: [address, { type: 'null' }] },
  submission_deadline: timestamp,
  judging_deadline_at: timestamp,
  settlement_timeout_at: timestamp,
  escrow: closed({ token_address: address, amount }),
  guardian_roster_hash: bytes32,
  spec_commitment: bytes32,
  submission_count: { type: 'integer', minimum: 0 },
};

const AS_OF = closed({ block_number: { type: 'integer' }, block_hash: bytes32 });

const ERROR = closed({
  code: { type: 'string' },
  message: { type: 'string' },
  issues: { type: 'array', items: closed({ path: { type: 'string' }, message: { type: 'string' } }) },
  next_action: { type: 'string' },
});

/** The bounty read response (specification section 2). */
export const BOUNTY_DETAIL_SCHEMA = closed(
  {
    bounty: closed({
      ...SUMMARY,
      guardian_roster: {
        type: 'array',
        items: closed({
          name: { type: 'string' },
          account: address,
          encryption_public_key: { type: 'string' },
        }),
      },
      submissions: { type: 'array', items: closed({ solver: address, submission_commitment: bytes32 }) },
    }),
    challenge: { type: ['string', 'null'] },
    verification_record: { type: 'object' },
    verification_record_error: ERROR,
    error: ERROR,
    as_of: AS_OF,
  },
  ['verification_record', 'verification_record_error', 'error'],
);

/** The bounty list response. */
export const BOUNTY_LIST_SCHEMA = closed({
  bounties: { type: 'array', items: closed(SUMMARY) },
  next_cursor: { type: ['string', 'null'] },
  as_of: AS_OF,
});
