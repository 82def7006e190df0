// The answers about bounties (specification section 2), as they come over the wire.

import type { VerificationRecord } from '../../protocol/verificationRecord.ts';
import { account, digits, hash32, list, nullable, one, type Read, record, text, whole } from './shape.ts';

/** The block that an answer rests on. */
export const asOf = record({ block_number: whole, block_hash: hash32 });

/** An error inside an answer that is otherwise fine. */
export const errorInside = record({
  code: text,
  message: text,
  issues: list(record({ path: text, message: text })),
  next_action: text,
});

const status = one('open', 'awarded', 'refunded', 'timed_out');

const SUMMARY = {
  chain_id: whole,
  hub_address: account,
  bounty_id: digits,
  poster: account,
  status,
  winner: nullable(account),
  submission_deadline: whole,
  judging_deadline_at: whole,
  settlement_timeout_at: whole,
  escrow: record({ token_address: account, amount: digits }),
  guardian_roster_hash: hash32,
  spec_commitment: hash32,
  submission_count: whole,
};

const place = { block_number: whole, block_hash: hash32, transaction_hash: hash32, log_index: whole };

/** A VerificationRecord; whether it hashes to its own commitment is checked apart. */
export const verificationRecord: (value: unknown, path: string) => VerificationRecord = record({
  schema: one('verification-record/v0'),
  advisory: one(true),
  chain_id: whole,
  hub_address: account,
  bounty_id: digits,
  outcome: one('awarded', 'refunded', 'timed_out'),
  winner: nullable(account),
  awarded_submission_commitment: nullable(hash32),
  payout: nullable(record({ token_address: account, amount: digits })),
  challenge: record({ spec_commitment: hash32, byte_length: whole }),
  quorum: record({ roster_size: whole, threshold: whole, matching: whole }),
  supporting_verdicts: list(record({ guardian_address: account, report_commitment: hash32, ...place })),
  settlement: record({ ...place, settled_at: whole }),
  record_commitment: hash32,
});

/** A row of the list. */
export const bountySummary = record(SUMMARY);

/** A page of the list. */
export const bountyPage = record({
  bounties: list(bountySummary),
  next_cursor: nullable(digits),
  as_of: asOf,
});

/** The bounty read. */
export const bountyAnswer = record(
  {
    bounty: record({
      ...SUMMARY,
      guardian_roster: list(record({ name: text, account, encryption_public_key: text })),
      submissions: list(record({ solver: account, submission_commitment: hash32 })),
    }),
    challenge: nullable(text),
    as_of: asOf,
  },
  { verification_record: verificationRecord, verification_record_error: errorInside, error: errorInside },
);

/** Where a bounty stands. */
export type BountyStatus = Read<typeof status>;
/** The block that an answer rests on. */
export type AsOf = Read<typeof asOf>;
/** A row of the list. */
export type BountySummary = Read<typeof bountySummary>;
/** A page of the list. */
export type BountyPage = Read<typeof bountyPage>;
/** The bounty read. */
export type BountyAnswer = Read<typeof bountyAnswer>;
