// Upload URLs, stored packages and prepared envelopes: operational records that bound what strangers can leave behind.
// Nobody's right to anything is read from here; the bytes themselves and the chain decide.

import { createHash, randomBytes } from 'node:crypto';
import type { Address, Hex } from 'viem';
import { ServiceError } from '../../protocol/errors.ts';
import type { Database } from '../state.ts';

/** What an upload URL is for. Addresses and hashes lower-case. */
export interface UploadPurpose {
  readonly bountyId: string;
  readonly solver: Address;
  readonly locator: string;
  readonly ciphertextSha256: string;
  readonly byteLength: number;
  readonly clientAddress: string;
}

/** A one-time token and when it ends, Unix seconds. */
export interface IssuedUpload {
  readonly token: string;
  readonly expiresAt: number;
}

/** How many packages may wait unnamed, and for how long. */
export interface UploadBounds {
  readonly unnamedPerSolver: number;
  readonly unnamedPerAddress: number;
  readonly retentionSeconds: number;
  readonly urlLifetimeSeconds: number;
}

/** The records of uploads. Times are Unix seconds. */
export interface Uploads {
  /** A new one-time token, 256 random bits in base64url. @throws ServiceError 429 beyond the bounds */
  issue(purpose: UploadPurpose): Promise<IssuedUpload>;
  /** Spend a token; of many at once one wins. @throws ServiceError 404, 410 */
  spend(token: string): Promise<UploadPurpose>;
  /** Record stored bytes. Returns until when they are kept unless a Submission names them. */
  recordPackage(purpose: UploadPurpose, dagRoot: string): Promise<number>;
  /** Record a prepared envelope and keep its package as long. */
  recordEnvelope(envelope: PreparedEnvelope): Promise<number>;
  /** Whether an envelope of this commitment was ever prepared here for this bounty. */
  wasPrepared(bountyId: string, submissionCommitment: Hex): Promise<boolean>;
}

/** A prepared envelope and the package that it names. */
export interface PreparedEnvelope {
  readonly bountyId: string;
  readonly solver: Address;
  readonly submissionCommitment: Hex;
  readonly locator: string;
}

interface UploadRow {
  readonly bounty_id: string;
  readonly solver: Address;
  readonly locator: string;
  readonly ciphertext_sha256: string;
  readonly byte_length: string;
  readonly client_address: string;
}

const TOKEN_BYTES = 32;
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The records in a database. */
export function uploadRecords(database: Database, bounds: UploadBounds): Uploads {
  return {
    async issue(purpose) {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const expiresAt = await database.transaction(async (query) => {
        // One issuer at a time per Solver and per client, so that many at once cannot pass the bounds together.
        const keys = [`solver ${purpose.solver}`, `client ${purpose.clientAddress}`];
        for (const key of keys) await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
        await query("DELETE FROM upload_url WHERE expires_at < now() - interval '1 day'");
        await withinBounds(query, purpose, bounds);
        const [row] = await query<{ expires_at: number }>(
          `INSERT INTO upload_url (token_hash, bounty_id, solver, locator, ciphertext_sha256, byte_length, client_address, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, date_trunc('second', now()) + make_interval(secs => $8))
           RETURNING extract(epoch FROM expires_at)::float8 AS expires_at`,
          [hashOf(token), ...columns(purpose), bounds.urlLifetimeSeconds],
        );
        return row!.expires_at;
      });
      return { token, expiresAt };
    },

    async spend(token) {
      const [row] = await database.query<UploadRow>(
        `UPDATE upload_url SET spent_at = now() WHERE token_hash = $1 AND spent_at IS NULL AND expires_at > now()
         RETURNING *`,
        [hashOf(token)],
      );
      if (row) return purposeOf(row);
      const [known] = await database.query<{ spent: boolean }>(
        'SELECT spent_at IS NOT NULL AS spent FROM upload_url WHERE token_hash = $1',
        [hashOf(token)],
      );
      if (known === undefined)
        throw new ServiceError('not_found', { message: 'This upload URL is unknown.' });
      throw new ServiceError(known.spent ? 'upload_url_spent' : 'upload_url_expired');
    },

    async recordPackage(purpose, dagRoot) {
      const { bountyId, solver, locator, byteLength, clientAddress } = purpose;
      const [row] = await database.query<{ until: number }>(
        `INSERT INTO package (locator, bounty_id, solver, byte_length, dag_root, client_address, retained_until)
         VALUES ($1, $2, $3, $4, $5, $6, date_trunc('second', now()) + make_interval(secs => $7))
         ON CONFLICT (locator, bounty_id, solver) DO UPDATE
           SET retained_until = greatest(package.retained_until, excluded.retained_until), dag_root = excluded.dag_root
         RETURNING extract(epoch FROM retained_until)::float8 AS until`,
        [locator, bountyId, solver, byteLength, dagRoot, clientAddress, bounds.retentionSeconds],
      );
      return row!.until;
    },

    async wasPrepared(bountyId, submissionCommitment) {
      const rows = await database.query(
        'SELECT 1 FROM envelope WHERE bounty_id = $1 AND submission_commitment = $2',
        [bountyId, submissionCommitment],
      );
      return rows.length === 1;
    },

    recordEnvelope: ({ bountyId, solver, submissionCommitment, locator }) =>
      database.transaction(async (query) => {
        const [row] = await query<{ until: number }>(
          `INSERT INTO envelope (bounty_id, submission_commitment, solver, locator, retained_until)
           VALUES ($1, $2, $3, $4, date_trunc('second', now()) + make_interval(secs => $5))
           ON CONFLICT (bounty_id, submission_commitment) DO UPDATE SET retained_until = excluded.retained_until
           RETURNING extract(epoch FROM retained_until)::float8 AS until`,
          [bountyId, submissionCommitment, solver, locator, bounds.retentionSeconds],
        );
        await query(
          `UPDATE package SET retained_until = greatest(retained_until, to_timestamp($4))
           WHERE locator = $1 AND bounty_id = $2 AND solver = $3`,
          [locator, bountyId, solver, row!.until],
        );
        return row!.until;
      }),
  };
}

/** Refuse when too many packages wait unnamed; URLs that were never used make room for the new one. */
async function withinBounds(
  query: Database['query'],
  purpose: UploadPurpose,
  bounds: UploadBounds,
): Promise<void> {
  const { solver, locator, clientAddress } = purpose;
  const stored = async (column: 'solver' | 'client_address', value: string) => {
    const [row] = await query<{ count: number; first: number | null }>(
      `SELECT count(DISTINCT locator)::int AS count, extract(epoch FROM min(retained_until) - now())::float8 AS first
       FROM package WHERE ${column} = $1 AND NOT named AND locator <> $2`,
      [value, locator],
    );
    return row!;
  };
  const ofSolver = await stored('solver', solver);
  if (ofSolver.count >= bounds.unnamedPerSolver) {
    throw tooMany(
      `This Solver has ${ofSolver.count} packages that no Submission names: record one on chain.`,
      ofSolver.first,
    );
  }
  const ofClient = await stored('client_address', clientAddress);
  const [open] = await query<{ count: number; first: number | null }>(
    `SELECT count(*)::int AS count, extract(epoch FROM min(expires_at) - now())::float8 AS first
     FROM upload_url WHERE client_address = $1 AND solver <> $2 AND spent_at IS NULL AND expires_at > now()`,
    [clientAddress, solver],
  );
  if (ofClient.count + open!.count >= bounds.unnamedPerAddress) {
    throw tooMany(
      'Too many packages from this address wait for a Submission to name them.',
      open!.first ?? ofClient.first,
    );
  }
  // The newest URLs of a Solver count: asking again must never lock an honest Solver out.
  await query(
    `DELETE FROM upload_url WHERE token_hash IN (
       SELECT token_hash FROM upload_url WHERE solver = $1 AND spent_at IS NULL
       ORDER BY issued_at DESC OFFSET $2)`,
    [solver, bounds.unnamedPerSolver - ofSolver.count - 1],
  );
}

function tooMany(message: string, waitSeconds: number | null): ServiceError {
  return new ServiceError('rate_limited', {
    message,
    retryAfterSeconds: Math.max(1, Math.ceil(waitSeconds ?? 60)),
  });
}

function columns({ bountyId, solver, locator, ciphertextSha256, byteLength, clientAddress }: UploadPurpose) {
  return [bountyId, solver, locator, ciphertextSha256, byteLength, clientAddress];
}

function purposeOf(row: UploadRow): UploadPurpose {
  return {
    bountyId: row.bounty_id,
    solver: row.solver,
    locator: row.locator,
    ciphertextSha256: row.ciphertext_sha256,
    byteLength: Number(row.byte_length),
    clientAddress: row.client_address,
  };
}
