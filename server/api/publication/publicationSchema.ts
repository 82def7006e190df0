// JSON Schema of the publication's answer, for OpenAPI and the contract tests.

import { ADDRESS, AMOUNT, AS_OF, BYTES32, closed, INTEGER, prepared, TEXT } from '../../http/answerSchema.ts';

/** The answer of prepare-publication. */
export const PUBLICATION_SCHEMA = closed({
  spec_commitment: BYTES32,
  byte_length: INTEGER,
  storage_locator: TEXT,
  guardian_roster_hash: BYTES32,
  fee_policy: closed({
    fee_bps: INTEGER,
    treasury: ADDRESS,
    charged_on: { const: 'award' },
    fee_amount: AMOUNT,
    net_reward_amount: AMOUNT,
  }),
  prepared: prepared({ permit: closed({ typed_data: { type: 'object' }, function_name: TEXT }) }),
  as_of: AS_OF,
});
