// `service-cli bounty list` and `bounty show`: what the finalized chain says, checked against the user's own RPC.

import { Command } from 'commander';
import type { BountyStatus, BountySummary } from '../../sdk/answers/bounty.ts';
import { readChallenge } from '../../sdk/challengeWarnings.ts';
import { UsageError } from '../exitCode.ts';
import { bountyIdOf, type DeploymentOptions, withDeployment } from '../options.ts';
import { reading } from '../session.ts';
import type { Terminal } from '../terminal.ts';

interface ListOptions extends DeploymentOptions {
  readonly status?: BountyStatus;
  readonly poster?: string;
  readonly solver?: string;
  readonly guardian?: string;
  readonly limit: string;
}

const utc = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000', '');

/** The command with its two parts. */
export function bountyCommand(terminal: Terminal): Command {
  return new Command('bounty')
    .description('Read bounties.')
    .addCommand(listCommand(terminal))
    .addCommand(showCommand(terminal));
}

function listCommand(terminal: Terminal): Command {
  return withDeployment(new Command('list'))
    .description('List bounties, the newest first.')
    .option('--status <status>', 'open, awarded, refunded or timed_out')
    .option('--poster <address>', 'funded by')
    .option('--solver <address>', 'with a Submission of')
    .option('--guardian <address>', 'with this Guardian on the roster')
    .option('--limit <number>', 'at most so many', '20')
    .addHelpText(
      'after',
      '\nExample:\n  service-cli bounty list --deployment local.json --status open --json',
    )
    .action(async ({ status, poster, solver, guardian, limit, ...options }: ListOptions) => {
      const most = Number(limit);
      if (!Number.isInteger(most) || most < 1) throw new UsageError('--limit must be a whole number from 1.');
      const { client, show } = await reading(options, terminal);
      const found: BountySummary[] = [];
      const filter = { status, poster, solver, guardian, limit: Math.min(most, 100) };
      for await (const row of client.bounties.list(filter as never)) {
        found.push(row);
        if (found.length === most) break;
      }
      const lines = found.map(
        ({ bounty_id: id, status: at, escrow, submission_deadline: until, submission_count: count }) =>
          `${id}\t${at}\t${escrow.amount}\t${utc(until)}\t${count} Submissions`,
      );
      show({ bounties: found }, lines.length > 0 ? lines : ['No bounty fits.']);
    });
}

function showCommand(terminal: Terminal): Command {
  return withDeployment(new Command('show'))
    .description('Show one bounty, held against the Hub, with where its challenge disagrees with it.')
    .argument('<bounty_id>', 'decimal')
    .addHelpText('after', '\nExample:\n  service-cli bounty show 7 --deployment staging')
    .action(async (id: string, options: DeploymentOptions) => {
      const bountyId = bountyIdOf(id);
      const { client, destination, show, say } = await reading(options, terminal);
      const answer = await client.bounties.get(bountyId);
      const { bounty, challenge } = answer;
      const onChain = await client.hub.bounty(bountyId);
      const bytes = challenge === null ? undefined : new TextEncoder().encode(challenge);
      const warnings =
        bytes === undefined
          ? ['The committed challenge cannot be retrieved now, or its stored bytes do not hash.']
          : readChallenge(bytes, onChain, destination.deployment).warnings;
      for (const warning of warnings) say(`warning: ${warning}`);
      show({ ...answer, warnings }, [
        `bounty ${bounty.bounty_id}: ${bounty.status}${bounty.winner ? `, winner ${bounty.winner}` : ''}`,
        `poster ${bounty.poster}`,
        `escrow ${bounty.escrow.amount} of ${bounty.escrow.token_address}`,
        `submissions until ${utc(bounty.submission_deadline)}, judging until ${utc(bounty.judging_deadline_at)}`,
        `spec_commitment ${bounty.spec_commitment}`,
        ...bounty.guardian_roster.map(({ name, account }) => `guardian ${account} ${name}`),
        ...bounty.submissions.map(({ solver, submission_commitment: of }) => `submission ${of} by ${solver}`),
        `final at block ${answer.as_of.block_number}`,
        ...(challenge === null ? [] : ['', challenge]),
      ]);
    });
}
