// The runbook's backup of PostgreSQL: stop it, copy its folder, start it. What was kept is there again from the copy, and a
// server goes on with it.

import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { startApiServer } from '../../server/local/apiServer.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { actorsOn } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { sealByHand } from '../actors/handSealed.ts';
import { submissionFlow } from '../actors/submissionFlow.ts';
import { ownStack } from '../localStack.ts';

describe('a backup of PostgreSQL', function () {
  this.timeout(120_000);
  let folder: string;
  let stack: LocalStack;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
    // Run by root, PostgreSQL works as a user of its own, who must get through.
    await chmod(folder, 0o711);
    stack = await ownStack({ dataDir: join(folder, 'data') });
  });
  after(async () => {
    await stack?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const rowsOf = async (table: string): Promise<unknown[]> => {
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    try {
      return (await client.query(`SELECT * FROM ${table} ORDER BY 1`)).rows as unknown[];
    } finally {
      await client.end();
    }
  };

  it('is whole: the rows come back, and a server starts on them', async () => {
    const { postgres } = stack.parts;
    const server = await startApiServer(stack.serverEnvironment(), { watch: stack.watch });
    const actors = actorsOn(stack);
    const bounty = await actors.createBounty();
    await clockOf(stack).finalizeFor(server.url);
    const solver = actors.solvers[0]!;
    const sealed = await sealByHand(stack, bounty, solver.address, new Uint8Array(5_000));
    await submissionFlow(stack, server.url, actors).submit(solver, bounty.bountyId, sealed);
    await server.stop();
    const kept = await rowsOf('package');
    expect(kept).to.have.length(1);

    const [data, backup] = [join(folder, 'data', 'postgres'), join(folder, 'backup')];
    await postgres.stop();
    execFileSync('cp', ['-a', data, backup]);
    await postgres.start();
    const client = new pg.Client({ connectionString: stack.databaseUrl });
    await client.connect();
    await client.query('DELETE FROM package');
    await client.end();
    expect(await rowsOf('package')).to.deep.equal([]);

    await postgres.stop();
    execFileSync('rm', ['-rf', data]);
    execFileSync('cp', ['-a', backup, data]);
    await postgres.start();
    expect(await rowsOf('package')).to.deep.equal(kept);
    const again = await startApiServer(stack.serverEnvironment(), { watch: stack.watch });
    expect((await fetch(`${again.url}/readyz`)).status).to.equal(200);
    await again.stop();
  });
});
