// What the SDK seals, opened with other people's tools, and the other way round: `age` for packages, drand's `tle` for time
// locks. Both are built by .ci/sealing-tools; where they are not on the PATH these tests say so and are skipped.

import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { LocalDrandBeacon } from '../../server/local/drandBeacon.ts';
import { ageIdentity } from '../../server/protocol/ageIdentity.ts';
import { decodeBase64Url } from '../../server/protocol/base64Url.ts';
import { parseKeyBag } from '../../server/protocol/keyBag.ts';
import { openSubmission } from '../../server/sdk/open.ts';
import { type SealedSubmission, seal } from '../../server/sdk/seal.ts';
import { unlock } from '../../server/sdk/timeLock.ts';
import {
  clientWith,
  DEADLINE,
  deployment,
  factsOf,
  guardiansOf,
  SOLVER,
  startClockedBeacon,
} from './sealing.ts';

const run = promisify(execFile);
const PACKAGE = new TextEncoder().encode('a package that other tools open\n'.repeat(5_000));

describe('stock tools', function () {
  this.timeout(30_000);
  const guardians = guardiansOf(3);
  const facts = factsOf(guardians);
  let beacon: LocalDrandBeacon & { now: number };
  let folder: string;
  let sealed: SealedSubmission;

  before(async () => {
    beacon = await startClockedBeacon();
    beacon.now = DEADLINE + 3;
    folder = await mkdtemp(join(tmpdir(), 'stock-'));
    sealed = await seal({ deployment, facts, solverAddress: SOLVER, package: new Blob([PACKAGE]) });
  });
  after(async () => {
    await beacon.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const need = (context: Mocha.Context, tool: string): void => {
    if (spawnSync(tool, ['--help']).error === undefined) return;
    console.log(`      skipped: \`${tool}\` is not on the PATH (.ci/sealing-tools builds it)`);
    context.skip();
  };
  const file = async (name: string, bytes: Uint8Array | string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, bytes, { mode: 0o600 });
    return path;
  };

  it('age opens the ciphertext with the content key', async function () {
    need(this, 'age');
    const [guardian] = guardians;
    const opening = { bountyId: 7n, submissionCommitment: sealed.submissionCommitment, ...guardian! };
    const { contentKey } = await openSubmission(clientWith(sealed, facts), opening, {
      drandUrls: [beacon.url],
    });
    const key = await file('key', `${ageIdentity(contentKey)}\n`);
    const ciphertext = await file('package.age', new Uint8Array(await sealed.ciphertext.arrayBuffer()));
    await run('age', ['-d', '-i', key, '-o', join(folder, 'package'), ciphertext]);
    expect(new Uint8Array(await readFile(join(folder, 'package')))).to.deep.equal(PACKAGE);
  });

  it('tle opens the key bag once the round is out', async function () {
    need(this, 'tle');
    const bag = await file('bag.tle', decodeBase64Url(sealed.envelope.key_bag.ciphertext)!);
    const { chainHash } = deployment.drand;
    await run('tle', ['-d', '-n', beacon.url, '-c', chainHash, '-o', join(folder, 'bag'), bag]);
    const parsed = parseKeyBag(new Uint8Array(await readFile(join(folder, 'bag'))));
    if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
    expect(parsed.entries.map(({ account }) => account)).to.deep.equal(
      guardians.map(({ account }) => account),
    );
  });

  it('what tle locks opens here', async function () {
    need(this, 'tle');
    const { drand } = deployment;
    const [round, source, locked] = [facts.round, await file('plain', 'from Go'), join(folder, 'locked')];
    await run('tle', [
      '-e',
      '-f',
      '-r',
      String(round),
      '-n',
      beacon.url,
      '-c',
      drand.chainHash,
      '-o',
      locked,
      source,
    ]);
    const bytes = new Uint8Array(await readFile(locked));
    const opened = await unlock(bytes, { network: drand, round }, { drandUrls: [beacon.url] });
    expect(new TextDecoder().decode(opened)).to.equal('from Go');
  });
});
