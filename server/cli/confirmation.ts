// Every transaction is shown before the wallet signs it, in words that say what it does, and asked for unless `--yes`.

import { formatEther } from 'viem';
import type { PreparedCall } from '../protocol/preparedCall.ts';
import { CommandError, UsageError } from './exitCode.ts';
import type { Terminal } from './terminal.ts';

/** Who sends where. */
export interface Sender {
  readonly chainId: number;
  readonly from: string;
}

/**
 * What confirms a call before it is sent.
 *
 * @throws UsageError where nobody can be asked, CommandError when the answer is no
 */
export function confirmation(terminal: Terminal, isSure: boolean, { chainId, from }: Sender) {
  return async (call: PreparedCall): Promise<void> => {
    terminal.log(`${describe(call, chainId, from)}\n`);
    if (isSure) return;
    if (!terminal.isInteractive)
      throw new UsageError('Nobody can be asked here: confirm the transaction with --yes.');
    const answer = (await terminal.ask('Send this transaction? [y/N] ')).trim().toLowerCase();
    if (answer !== 'y' && answer !== 'yes') throw new CommandError('Nothing was sent.');
  };
}

function describe(
  { function_name: name, to, value, args }: PreparedCall,
  chainId: number,
  from: string,
): string {
  const lines = Object.entries(args).map(([key, given]) => `    ${key}: ${text(given)}`);
  const head = [`  ${name} on chain ${chainId}`, `    from: ${from}`, `    to: ${to}`];
  return [...head, `    value: ${formatEther(BigInt(value))}`, ...lines].join('\n');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
