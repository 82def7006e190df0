// The answers of winning-solution delivery.

import { asOf } from './bounty.ts';
import { account, digits, flag, hash32, one, type Read, record, text, whole } from './shape.ts';
import { ciphertextOffer } from './submission.ts';

/** The deployment's delivery public key. */
export const deliveryKey = record({
  algorithm: one('X25519'),
  key_id: text,
  public_key: text,
  hpke: record({ kem_id: whole, kdf_id: whole, aead_id: whole }),
});

/** A stored wrap. */
export const wrapReceipt = record({ stored: one(true), bounty_id: digits, submission_commitment: hash32 });

/** Whether a wrap is stored. */
export const deliveryStatus = record({ exists: flag });

/** The winning Submission's content key, rewrapped, and its ciphertext. */
export const retrieval = record({
  bounty_id: digits,
  submission_commitment: hash32,
  solver_address: account,
  key_id: text,
  wrapped_key: text,
  ciphertext: ciphertextOffer,
  as_of: asOf,
});

/** The deployment's delivery public key. */
export type DeliveryKey = Read<typeof deliveryKey>;
/** A stored wrap. */
export type WrapReceipt = Read<typeof wrapReceipt>;
/** The winning Submission's content key, rewrapped, and its ciphertext. */
export type Retrieval = Read<typeof retrieval>;
