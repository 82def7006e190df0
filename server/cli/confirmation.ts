// Everything that the wallet signs for the chain is shown before, in words that say what it does, and asked for unless
// `--yes`. Must never let the wallet sign first and ask after.

import { formatEther } from 'viem';
import type { PreparedCall } from '../protocol/preparedCall.ts';
import { CommandError, UsageError } from './exitCode.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** Who sends where. */
export interface Sender {
  readonly chainId: number;
  readonly from: string;
}

/** What asks before the wallet acts. All throw UsageError where nobody can be asked, CommandError when the answer is no. */
export interface Confirmation {
  /** Nothing to ask yet; but where nobody can be, a command stops here, before it has done anything at all. */
  possible(): void;
  /** A transaction. */
  call(call: PreparedCall): Promise<void>;
  /** A message with an effect on chain, as a permit: what it is, and its parts. */
  message(what: string, parts: Readonly<Record<string, unknown>>): Promise<void>;
}

/** What confirms for one wallet; `isSure` answers yes to everything. */
export function confirmation(terminal: Terminal, isSure: boolean, { chainId, from }: Sender): Confirmation {
  const possible = (): void => {
    if (!isSure && !terminal.isInteractive)
      throw new UsageError('Nobody can be asked here: confirm the transaction with --yes.');
  };
  const confirm = async (shown: string, question: string): Promise<void> => {
    terminal.log(`${printable(shown)}\n`);
    possible();
    if (isSure) return;
    const answer = (await terminal.ask(`${question} [y/N] `)).trim().toLowerCase();
    if (answer !== 'y' && answer !== 'yes') throw new CommandError('Nothing was sent.');
  };
  return {
    possible,
    call: ({ function_name: name, to, value, args }) =>
      confirm(
        described(`${name} on chain ${chainId}`, {
          from,
          to,
          value: formatEther(BigInt(value)),
          ...indented(args),
        }),
        'Send this transaction?',
      ),
    message: (what, parts) =>
      confirm(described(`${what} on chain ${chainId}`, { from, ...indented(parts) }), 'Sign this?'),
  };
}

function described(what: string, parts: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(parts).map(([key, value]) => `    ${key}: ${text(value)}`);
  return [`  ${what}`, ...lines].join('\n');
}

// An argument may be named `to` as well.
function indented(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [`  ${key}`, value]));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
