// `service-cli claim <token>`: whoever has a queued balance claims it. Balances never expire.

import { Command } from 'commander';
import { parseAddress } from '../../protocol/accountAddress.ts';
import { claimCall } from '../../protocol/hubCalls.ts';
import { CommandError, EXIT, UsageError } from '../exitCode.ts';
import { hubCommand } from '../hubCommand.ts';
import type { Terminal } from '../terminal.ts';

/** The command. */
export function claimCommand(terminal: Terminal): Command {
  const command = new Command('claim')
    .description('Claim everything that the Hub has queued for your wallet in one token.')
    .argument('<token>', "the token's address")
    .option('--to <address>', 'who receives it; default your wallet')
    .addHelpText(
      'after',
      '\nExample:\n  service-cli claim 0xA0b8… --deployment staging --key-file winner.key',
    );
  return hubCommand(command, terminal, async ({ hub, account, destination }, [text = ''], options) => {
    const token = parseAddress(text);
    const to = parseAddress(options.to ?? account.address);
    if (token === undefined || to === undefined)
      throw new UsageError('Token and receiver must be addresses.');
    const amount = await hub.queuedBalance(account.address, token);
    if (amount === 0n)
      throw new CommandError('Nothing is queued for this wallet in this token.', EXIT.refused);
    const call = claimCall(destination.deployment.hubAddress, token, to);
    return { call, shown: { token, to, amount: String(amount) } };
  });
}
