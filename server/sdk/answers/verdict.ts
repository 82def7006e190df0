// The answer to a published written Verdict.

import { asOf } from './bounty.ts';
import { preparedCalls } from './prepared.ts';
import { hash32, type Read, record, text, whole } from './shape.ts';

/** A stored written Verdict and the recordVerdict call. */
export const storedVerdict = record({
  report_commitment: hash32,
  byte_length: whole,
  storage_locator: text,
  prepared: preparedCalls,
  as_of: asOf,
});

/** A stored written Verdict and the recordVerdict call. */
export type StoredVerdict = Read<typeof storedVerdict>;
