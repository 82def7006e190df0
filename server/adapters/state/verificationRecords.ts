// VerificationRecords as derived once: a copy of bytes that anyone can derive again, checked whenever it is served.

import type { Hex } from 'viem';
import type { Database } from '../state.ts';

/** The kept records. */
export interface VerificationRecords {
  /** The kept canonical JSON text of a bounty's record. */
  find(bountyId: string): Promise<string | undefined>;
  /** Keep a record; a text that was kept before is replaced. */
  keep(bountyId: string, recordCommitment: Hex, record: string): Promise<void>;
}

/** The records in a database. */
export function verificationRecords(database: Database): VerificationRecords {
  return {
    async find(bountyId) {
      const [row] = await database.query<{ record: string }>(
        'SELECT record FROM verification_record WHERE bounty_id = $1',
        [bountyId],
      );
      return row?.record;
    },
    async keep(bountyId, recordCommitment, record) {
      await database.query(
        `INSERT INTO verification_record (bounty_id, record_commitment, record) VALUES ($1, $2, $3)
         ON CONFLICT (bounty_id) DO UPDATE SET record_commitment = excluded.record_commitment, record = excluded.record`,
        [bountyId, recordCommitment, record],
      );
    },
  };
}
