// Operational state in PostgreSQL: what is neither a chain fact nor content. Authorization never reads it.
// Plain SQL migrations are applied at start, one process at a time.

import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ServiceError } from '../protocol/errors.ts';

/** The database as the stores of `adapters/state/` use it. */
export interface Database {
  /** Run one statement; a database that is away becomes 503 `service_unavailable`. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Run work in one transaction, rolled back when it throws. */
  transaction<T>(work: (query: Database['query']) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const MIGRATIONS = fileURLToPath(new URL('./state/migrations/', import.meta.url));
// One number for the advisory lock of this service's migrations: ASCII "BSS1".
const MIGRATION_LOCK = 0x42535331;
const CONSTRAINT_CLASS = '23';

/**
 * Connect and bring the schema up to date.
 *
 * @param url `postgresql://…`, never logged
 * @throws Error in one line when the database cannot be reached or a migration fails
 */
export async function openDatabase(url: string): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 10_000,
    application_name: 'bounty-settlement-service',
  });
  // An idle connection that breaks is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => {});

  const run =
    (client: pg.Pool | pg.PoolClient): Database['query'] =>
    async (text, values = []) => {
      try {
        return (await client.query(text, [...values])).rows;
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.code?.startsWith(CONSTRAINT_CLASS)) throw error;
        throw new ServiceError('service_unavailable', { retryAfterSeconds: 5, cause: error });
      }
    };

  const database: Database = {
    query: run(pool),
    async transaction(work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw new ServiceError('service_unavailable', { retryAfterSeconds: 5, cause: error });
      });
      let broken = true;
      try {
        const query = run(client);
        await query('BEGIN');
        try {
          const result = await work(query);
          await query('COMMIT');
          broken = false;
          return result;
        } catch (error) {
          await query('ROLLBACK');
          broken = false;
          throw error;
        }
      } finally {
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
  await migrate(database).catch(async (error: unknown) => {
    await pool.end();
    throw new Error('DATABASE_URL: the database cannot be reached or migrated.', { cause: error });
  });
  return database;
}

async function migrate(database: Database): Promise<void> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  await database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await query(
      'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, applied_at timestamptz DEFAULT now())',
    );
    const done = new Set(
      (await query<{ name: string }>('SELECT name FROM migration')).map((row) => row.name),
    );
    for (const name of names.filter((candidate) => !done.has(candidate))) {
      await query(await readFile(MIGRATIONS + name, 'utf8'));
      await query('INSERT INTO migration (name) VALUES ($1)', [name]);
    }
  });
}
