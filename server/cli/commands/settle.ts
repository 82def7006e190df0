// `service-cli settle <bounty_id>`: anybody settles a bounty once two thirds of its roster agree.

import { Command } from 'commander';
import { settleCall } from '../../protocol/hubCalls.ts';
import { hubCommand } from '../hubCommand.ts';
import { bountyIdOf } from '../options.ts';
import type { Terminal } from '../terminal.ts';

/** The command. */
export function settleCommand(terminal: Terminal): Command {
  const command = new Command('settle')
    .description('Settle a bounty whose Guardians agree by two thirds.')
    .argument('<bounty_id>', 'decimal')
    .addHelpText('after', '\nExample:\n  service-cli settle 7 --deployment staging --key-file wallet.key');
  return hubCommand(command, terminal, async ({ destination: { deployment } }, [id = '']) => ({
    call: settleCall(deployment.hubAddress, bountyIdOf(id)),
    shown: { bounty_id: id },
  }));
}
