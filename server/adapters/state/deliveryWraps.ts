// Delivery wraps: one per Submission, the first verified one stays. They never leave the server as they are.

import type { Address, Hex } from 'viem';
import type { Database } from '../state.ts';

/** Which Submission a wrap is for; hashes and addresses lower-case. */
export interface WrapSubject {
  readonly bountyId: string;
  readonly submissionCommitment: Hex;
  readonly solver: Address;
}

/** A stored wrap: base64url of HPKE `enc || ct`, and the delivery key that opens it. */
export interface StoredWrap {
  readonly keyId: string;
  readonly wrappedKey: string;
}

/** The stored wraps. */
export interface DeliveryWraps {
  /** Keep a wrap that was verified; true when it is the first one of its Submission. */
  store(subject: WrapSubject, wrap: StoredWrap): Promise<boolean>;
  find(subject: WrapSubject): Promise<StoredWrap | undefined>;
  /** Whether any wrap exists for exactly this Submission. */
  exists(bountyId: string, submissionCommitment: Hex): Promise<boolean>;
}

/** The wraps in a database. */
export function deliveryWraps(database: Database): DeliveryWraps {
  return {
    async store({ bountyId, submissionCommitment, solver }, { keyId, wrappedKey }) {
      const rows = await database.query(
        `INSERT INTO delivery_wrap (bounty_id, submission_commitment, solver, key_id, wrapped_key)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING 1`,
        [bountyId, submissionCommitment, solver, keyId, wrappedKey],
      );
      return rows.length === 1;
    },
    async find({ bountyId, submissionCommitment, solver }) {
      const [row] = await database.query<{ key_id: string; wrapped_key: string }>(
        `SELECT key_id, wrapped_key FROM delivery_wrap
         WHERE bounty_id = $1 AND submission_commitment = $2 AND solver = $3`,
        [bountyId, submissionCommitment, solver],
      );
      return row && { keyId: row.key_id, wrappedKey: row.wrapped_key };
    },
    async exists(bountyId, submissionCommitment) {
      const rows = await database.query(
        'SELECT 1 FROM delivery_wrap WHERE bounty_id = $1 AND submission_commitment = $2 LIMIT 1',
        [bountyId, submissionCommitment],
      );
      return rows.length === 1;
    },
  };
}
