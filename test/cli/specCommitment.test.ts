import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fileCommitment } from '../../server/cli/commands/specCommitment.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { vectorBytes } from '../protocol/vectorBytes.ts';
import vectors from '../vectors/address.json' with { type: 'json' };
import { cli } from './stage.ts';

/** Runs the command in an empty environment. */
async function run(...args: string[]) {
  const { out, log, code } = await cli(args);
  return { stdout: out, stderr: log, status: code };
}

describe('service-cli spec-commitment', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'spec-commitment-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, bytes: Uint8Array | string): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };

  for (const { utf8, commitment } of vectors.documents) {
    it(`hashes ${JSON.stringify(utf8)}`, async () => {
      expect(await fileCommitment(file('document.md', vectorBytes(utf8)))).to.equal(commitment);
    });
  }

  it('hashes a file of many chunks like its bytes at once', async () => {
    const bytes = Uint8Array.from({ length: 300_001 }, (_, index) => index % 251);
    expect(await fileCommitment(file('large.md', bytes))).to.equal(commitmentOf(bytes));
  });

  it('prints the hash alone, without any configuration', async () => {
    const golden = vectors.documents.find(({ utf8 }) => utf8.includes('\r\n'))!;
    const path = file('a name with spaces.md', vectorBytes(golden.utf8));
    expect(await run('spec-commitment', path)).to.deep.equal({
      stdout: `${golden.commitment}\n`,
      stderr: '',
      status: 0,
    });
  });

  it('fails with 1 and says why when the file cannot be read', async () => {
    const cases: [path: string, why: string][] = [
      [join(folder, 'missing.md'), 'there is no such file'],
      [folder, 'it is a directory'],
      [join(file('plain', ''), 'below'), 'ENOTDIR'],
    ];
    if (process.getuid?.() !== 0) {
      const secret = file('secret.md', 'x');
      chmodSync(secret, 0);
      cases.push([secret, 'access is denied']);
    }
    for (const [path, why] of cases) {
      const { stdout, stderr, status } = await run('spec-commitment', path);
      expect({ stdout, status }, path).to.deep.equal({ stdout: '', status: 1 });
      expect(stderr).to.contain(path).and.contain(why);
    }
  });

  it('fails with 2 when it is called wrongly', async () => {
    for (const args of [
      ['spec-commitment'],
      ['spec-commitment', 'a', 'b'],
      ['spec-commitment', '-x', 'a'],
      ['nonsense'],
      [],
    ]) {
      const { stdout, stderr, status } = await run(...args);
      expect({ stdout, status }, args.join(' ')).to.deep.equal({ stdout: '', status: 2 });
      expect(stderr).to.match(/^error: |^Usage: service-cli/);
    }
  });

  it('explains itself', async () => {
    const { stdout, stderr, status } = await run('--help');
    expect({ stderr, status }).to.deep.equal({ stderr: '', status: 0 });
    expect(stdout).to.contain('spec-commitment');
  });
});
