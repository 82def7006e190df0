// `service-cli timeout <bounty_id>`: anybody refunds a bounty that nobody could settle in time.

import { Command } from 'commander';
import { timeOutCall } from '../../protocol/hubCalls.ts';
import { hubCommand } from '../hubCommand.ts';
import { bountyIdOf } from '../options.ts';
import type { Terminal } from '../terminal.ts';

/** The command. */
export function timeoutCommand(terminal: Terminal): Command {
  const command = new Command('timeout')
    .description('Time a bounty out after its settlement timeout, which refunds the Poster.')
    .argument('<bounty_id>', 'decimal')
    .addHelpText('after', '\nExample:\n  service-cli timeout 7 --deployment staging --key-file wallet.key');
  return hubCommand(command, terminal, async ({ destination: { deployment } }, [id = '']) => ({
    call: timeOutCall(deployment.hubAddress, bountyIdOf(id)),
    shown: { bounty_id: id },
  }));
}
