// Which stored packages and envelopes are due, and what became of them: the records of the sweep.

import type { Address, Hex } from 'viem';
import type { Database } from '../state.ts';

/** An envelope that names a package; addresses and hashes lower-case. */
export interface NamingEnvelope {
  readonly bountyId: string;
  readonly solver: Address;
  readonly submissionCommitment: Hex;
  readonly locator: string;
}

/** A package that is past its time. */
export interface DuePackage {
  readonly locator: string;
  readonly bountyId: string;
  readonly solver: Address;
}

/** The records. */
export interface Retention {
  /** Envelopes of a Solver whose packages wait unnamed. */
  waiting(solver: Address): Promise<readonly NamingEnvelope[]>;
  /** Packages past their time that no Submission named when last looked at, and named ones to look at again. */
  duePackages(limit: number): Promise<readonly DuePackage[]>;
  envelopesOf(subject: DuePackage): Promise<readonly NamingEnvelope[]>;
  /** Envelopes past their time. */
  dueEnvelopes(limit: number): Promise<readonly NamingEnvelope[]>;
  /** Keep a package because an active Submission names it; it is looked at again after `seconds`. */
  keepPackage(subject: DuePackage, seconds: number): Promise<void>;
  keepEnvelope(envelope: NamingEnvelope, seconds: number): Promise<void>;
  /** Whether the same bytes are kept for another Solver or bounty too. */
  isShared(subject: DuePackage): Promise<boolean>;
  forgetPackage(subject: DuePackage): Promise<void>;
  forgetEnvelope(envelope: NamingEnvelope): Promise<void>;
  /** Run work while no other process sweeps; false when another one does. */
  alone(work: () => Promise<void>): Promise<boolean>;
}

interface Row {
  readonly bounty_id: string;
  readonly solver: Address;
  readonly submission_commitment: Hex;
  readonly locator: string;
}

// ASCII "BSSW".
const SWEEP_LOCK = 0x42535357;

const ENVELOPE_COLUMNS = 'e.bounty_id::text, e.solver, e.submission_commitment, e.locator';

const namingOf = (row: Row): NamingEnvelope => ({
  bountyId: row.bounty_id,
  solver: row.solver,
  submissionCommitment: row.submission_commitment,
  locator: row.locator,
});

/** The records in a database. */
export function retentionRecords(database: Database): Retention {
  const keyOf = ({ locator, bountyId, solver }: DuePackage) => [locator, bountyId, solver];
  return {
    async waiting(solver) {
      const rows = await database.query<Row>(
        `SELECT ${ENVELOPE_COLUMNS} FROM envelope e JOIN package p USING (locator, bounty_id, solver)
         WHERE NOT p.named AND solver = $1`,
        [solver],
      );
      return rows.map(namingOf);
    },
    async duePackages(limit) {
      const rows = await database.query<Omit<Row, 'submission_commitment'>>(
        'SELECT locator, bounty_id::text, solver FROM package WHERE retained_until < now() ORDER BY retained_until LIMIT $1',
        [limit],
      );
      return rows.map(({ locator, bounty_id, solver }) => ({ locator, bountyId: bounty_id, solver }));
    },
    async envelopesOf(subject) {
      const rows = await database.query<Row>(
        `SELECT ${ENVELOPE_COLUMNS} FROM envelope e WHERE locator = $1 AND bounty_id = $2 AND solver = $3`,
        keyOf(subject),
      );
      return rows.map(namingOf);
    },
    async dueEnvelopes(limit) {
      const rows = await database.query<Row>(
        `SELECT ${ENVELOPE_COLUMNS} FROM envelope e WHERE retained_until < now() ORDER BY retained_until LIMIT $1`,
        [limit],
      );
      return rows.map(namingOf);
    },
    async keepPackage(subject, seconds) {
      await database.query(
        `UPDATE package SET named = true, retained_until = now() + make_interval(secs => $4)
         WHERE locator = $1 AND bounty_id = $2 AND solver = $3`,
        [...keyOf(subject), seconds],
      );
    },
    async keepEnvelope({ bountyId, submissionCommitment }, seconds) {
      await database.query(
        `UPDATE envelope SET retained_until = now() + make_interval(secs => $3)
         WHERE bounty_id = $1 AND submission_commitment = $2`,
        [bountyId, submissionCommitment, seconds],
      );
    },
    async isShared(subject) {
      const rows = await database.query(
        'SELECT 1 FROM package WHERE locator = $1 AND NOT (bounty_id = $2 AND solver = $3) LIMIT 1',
        keyOf(subject),
      );
      return rows.length === 1;
    },
    async forgetPackage(subject) {
      await database.query(
        'DELETE FROM package WHERE locator = $1 AND bounty_id = $2 AND solver = $3',
        keyOf(subject),
      );
    },
    async forgetEnvelope({ bountyId, submissionCommitment }) {
      await database.query('DELETE FROM envelope WHERE bounty_id = $1 AND submission_commitment = $2', [
        bountyId,
        submissionCommitment,
      ]);
    },
    alone: (work) =>
      database.transaction(async (query) => {
        const [row] = await query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
          SWEEP_LOCK,
        ]);
        if (row?.locked) await work();
        return row?.locked === true;
      }),
  };
}
