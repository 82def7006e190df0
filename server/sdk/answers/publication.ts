// The answer of prepare-publication.

import { asOf } from './bounty.ts';
import { preparedCreation } from './prepared.ts';
import { account, digits, hash32, one, type Read, record, text, whole } from './shape.ts';

/** A stored challenge, the Hub's fee policy and the prepared creation. */
export const publicationAnswer = record({
  spec_commitment: hash32,
  byte_length: whole,
  storage_locator: text,
  guardian_roster_hash: hash32,
  fee_policy: record({
    fee_bps: whole,
    treasury: account,
    charged_on: one('award'),
    fee_amount: digits,
    net_reward_amount: digits,
  }),
  prepared: preparedCreation,
  as_of: asOf,
});

/** A stored challenge, the Hub's fee policy and the prepared creation. */
export type PublicationAnswer = Read<typeof publicationAnswer>;
