// `npm run demo`: a stack of its own, and the whole workflow played on it with the CLI's own commands, real transactions
// and the real beacon. Shows each command, each step with its transactions and its time; `--json` prints a summary. Ends with 0 only when all agrees.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApiServer } from './apiServer.ts';
import { demoPeople } from './demoPeople.ts';
import { type DemoStep, playWorkflow } from './demoWorkflow.ts';
import { startStack } from './stack.ts';

const asJson = process.argv.includes('--json');
const began = performance.now();
const secondsSoFar = (): number => Math.round((performance.now() - began) / 100) / 10;

function say(line: string): void {
  process.stderr.write(`${secondsSoFar().toFixed(1).padStart(5)} s  ${line}\n`);
}

const folder = await mkdtemp(join(tmpdir(), 'bounty-demo-'));
const stack = await startStack({ progress: say });
try {
  const server = await startApiServer(stack.serverEnvironment(), { watch: stack.watch });
  say(`The API answers at ${server.url}`);
  const steps: (DemoStep & { seconds: number })[] = [];
  const tell = (step: DemoStep): void => {
    steps.push({ ...step, seconds: secondsSoFar() });
    say(`${step.step}. ${step.what}`);
    for (const hash of step.transactions) say(`   transaction ${hash}`);
  };
  const people = await demoPeople({ stack, server }, folder, (command) => say(`   $ ${command}`));
  const outcome = await playWorkflow({ stack, apiUrl: server.url, people, folder, tell });
  if (asJson) {
    const summary = {
      bounty_id: outcome.bountyId,
      winner: outcome.winner,
      claimed: outcome.claimed,
      record_commitment: outcome.recordCommitment,
      files: outcome.files,
      steps,
      seconds: secondsSoFar(),
    };
    process.stdout.write(`${JSON.stringify(summary)}\n`);
  } else say('API, chain, logs and folders agree: the demo is complete.');
} finally {
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}
