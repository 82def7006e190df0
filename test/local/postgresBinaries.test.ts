// A checkout that only root can enter: PostgreSQL's programs are copied to where its user can run them.

import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { packagedBinaries, reachableBinaries } from '../../server/local/postgresBinaries.ts';

describe('postgresBinaries', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'programs-'));
    await chmod(folder, 0o755);
    await mkdir(join(folder, 'checkout', 'bin'), { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const programs = async (): Promise<{ initdb: string; postgres: string }> => {
    const paths = ['initdb', 'postgres'].map((name) => join(folder, 'checkout', 'bin', name));
    for (const path of paths) await writeFile(path, '#!/bin/sh\necho it runs\n', { mode: 0o755 });
    return { initdb: paths[0] as string, postgres: paths[1] as string };
  };

  it('finds a PostgreSQL 18 for this platform', async () => {
    const { postgres } = await packagedBinaries();
    expect(execFileSync(postgres, ['--version']).toString()).to.match(/^postgres \(PostgreSQL\) 18\./);
  });

  it('leaves programs where they are when everybody can reach them', async () => {
    const found = await programs();
    expect(await reachableBinaries(found, join(folder, 'copy'))).to.equal(found);
  });

  it('copies them when a folder above is closed to others', async () => {
    const found = await programs();
    await chmod(join(folder, 'checkout'), 0o700);
    const copied = await reachableBinaries(found, join(folder, 'copy'));
    expect((await stat(join(folder, 'copy'))).mode & 0o777).to.equal(0o755);
    expect(copied.postgres).to.equal(join(folder, 'copy', 'bin', 'postgres'));
    expect(execFileSync(copied.initdb).toString()).to.equal('it runs\n');
  });
});
