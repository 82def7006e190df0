// JSON Schemas of the bounty answers, for OpenAPI and the contract tests.

import { ADDRESS, AMOUNT, AS_OF, BYTES32, closed, TIMESTAMP } from '../../http/answerSchema.ts';

const SUMMARY = {
  chain_id: { type: 'integer' },
  hub_address: ADDRESS,
  bounty_id: { type: 'string' },
  poster: ADDRESS,
  status: { type: 'string', enum: ['open', 'awarded', 'refunded', 'timed_out'] },
  winner: { anyOf: [ADDRESS, { type: 'null' }] },
  submission_deadline: TIMESTAMP,
  judging_deadline_at: TIMESTAMP,
  settlement_timeout_at: TIMESTAMP,
  escrow: closed({ token_address: ADDRESS, amount: AMOUNT }),
  guardian_roster_hash: BYTES32,
  spec_commitment: BYTES32,
  submission_count: { type: 'integer', minimum: 0 },
};

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
          account: ADDRESS,
          encryption_public_key: { type: 'string' },
        }),
      },
      submissions: { type: 'array', items: closed({ solver: ADDRESS, submission_commitment: BYTES32 }) },
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
