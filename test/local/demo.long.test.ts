// `npm run demo` as its reader runs it: the whole workflow, steps 1 to 8, in one summary.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const DEMO = fileURLToPath(new URL('../../server/local/demo.ts', import.meta.url));

describe('npm run demo', () => {
  it('plays all eight steps with real transactions and ends with the Poster’s folder', async function () {
    this.timeout(90_000);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      '--import',
      'tsx',
      DEMO,
      '--json',
    ]);
    const summary = JSON.parse(stdout) as {
      steps: { step: number; transactions: string[] }[];
      files: number;
      seconds: number;
      claimed: string;
      record_commitment: string;
    };
    expect(summary.steps.map(({ step }) => step)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
    const sent = summary.steps.map(({ transactions }) => transactions.length);
    expect(sent).to.deep.equal([0, 1, 3, 0, 5, 2, 0, 0]);
    expect([summary.files, summary.claimed]).to.deep.equal([3, '2437500000']);
    expect(summary.record_commitment).to.match(/^0x[0-9a-f]{64}$/);
    expect(stderr).to.contain('8. The Poster received the winning folder');
  });
});
