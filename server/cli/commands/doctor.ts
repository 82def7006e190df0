// `service-cli doctor`: asks everything that a user relies on, and says what is wrong and what to do.

import { Command } from 'commander';
import { CommandError, EXIT } from '../exitCode.ts';
import { type DeploymentOptions, withDeployment } from '../options.ts';
import { reading, type Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly what: string;
}

/** An approval names a block; a machine's clock matters for nothing else, but tells of a broken one. */
const MAX_CLOCK_SECONDS = 120;
const MAX_CHAIN_AGE_SECONDS = 60;

/** The command. */
export function doctorCommand(terminal: Terminal): Command {
  return withDeployment(new Command('doctor'))
    .description('Check API, clock, chain, finality, index and storage, and say what is wrong.')
    .addHelpText('after', '\nExample:\n  service-cli doctor --deployment local.json')
    .action(async (options: DeploymentOptions) => {
      const session = await reading(options, terminal);
      const findings = [...(await ownSide(session)), ...(await serviceSide(session))];
      const ok = findings.every((finding) => finding.ok);
      session.show(
        { ok, findings },
        findings.map(({ check, ok: fine, what }) => `${fine ? 'ok  ' : 'FAIL'} ${check}: ${what}`),
      );
      if (!ok) throw new CommandError('Not everything is well.', EXIT.later, 'See the lines that say FAIL.');
    });
}

/** What needs no API: the user's own RPC and the Hub. */
async function ownSide({ client, destination }: Session): Promise<Finding[]> {
  const { chainId, hubAddress } = destination.deployment;
  return Promise.all([
    finding('rpc', async () => {
      const actual = await client.hub.chainId();
      if (actual !== chainId)
        throw new Error(`is on chain ${actual}, not ${chainId}: name another with --rpc-url`);
      return `chain ${actual}`;
    }),
    finding('chain', async () => {
      const { number, timestamp } = await client.hub.tip();
      const age = Math.round(Date.now() / 1_000) - timestamp;
      if (age > MAX_CHAIN_AGE_SECONDS && destination.ipfsUrl === undefined)
        throw new Error(`the latest block ${number} is ${age} s old: the chain or your RPC stands still`);
      return `block ${number}, ${age} s old`;
    }),
    finding('hub', async () => `${hubAddress}, roster ${await client.hub.currentRosterHash()}`),
  ]);
}

async function serviceSide({ client, destination: { baseUrl } }: Session): Promise<Finding[]> {
  const api = await finding('api', async () => {
    const { version } = await client.readDeployment();
    return `${baseUrl}, version ${version}`;
  });
  if (!api.ok) return [api];
  const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
  const date = Date.parse(answer?.headers.get('date') ?? '');
  const off = Math.abs(date - Date.now()) / 1_000;
  const clock: Finding = Number.isNaN(date)
    ? { check: 'clock', ok: true, what: 'the server does not tell its time' }
    : { check: 'clock', ok: off < MAX_CLOCK_SECONDS, what: `${Math.round(off)} s beside the server's` };
  type Check = { ok: boolean; reason?: string } & Record<string, unknown>;
  const body = (await answer?.json().catch(() => undefined)) as
    | { checks?: Record<string, Check> }
    | undefined;
  const checks = Object.entries(body?.checks ?? {}).map(([check, { ok, reason, ...numbers }]): Finding => {
    const told = Object.entries(numbers).map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`);
    return { check: `service ${check}`, ok, what: reason ?? (told.join(', ') || 'answers') };
  });
  const ready = { check: 'service', ok: answer?.ok === true, what: answer?.ok ? 'ready' : 'not ready' };
  return [api, clock, ready, ...checks];
}

async function finding(check: string, question: () => Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, what: await question() };
  } catch (error) {
    return { check, ok: false, what: error instanceof Error ? error.message : 'fails' };
  }
}
