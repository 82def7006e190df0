// `npm test`: the suite in two processes side by side, each with a stack of its own, because most of a test's time is
// waiting for blocks. Prints one lane after the other, then the counts of both; fails when a lane fails.
// Usage: node test/lanes.mjs [further mocha arguments]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MOCHA = fileURLToPath(new URL('../node_modules/mocha/bin/mocha.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bounty-lanes-'));
const counts = process.env.TEST_COUNTS ?? join(folder, 'counts');
const before = read(counts);

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function start(lane, output) {
  const child = spawn(process.execPath, [MOCHA, ...process.argv.slice(2)], {
    env: { ...process.env, TEST_LANE: lane, TEST_COUNTS: counts },
    stdio: ['ignore', output, output],
  });
  const ended = once(child, 'exit').then(([code]) => code ?? 1);
  return { child, ended };
}

const kept = join(folder, 'waiting.log');
const descriptor = openSync(kept, 'w');
const lanes = [start('rest', 'inherit'), start('waiting', descriptor)];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    for (const { child } of lanes) child.kill('SIGINT');
  });

const codes = await Promise.all(lanes.map(({ ended }) => ended));
closeSync(descriptor);
process.stdout.write(read(kept));
const rows = read(counts).slice(before.length).trim().split('\n');
const sum = (column) => rows.reduce((total, row) => total + Number(row.split(' ')[column] ?? 0), 0);
console.log(`${sum(0)} passed, ${sum(1)} failed, ${sum(2)} skipped`);
rmSync(folder, { recursive: true, force: true });
process.exitCode = Math.max(...codes);
