// Commands that are one call of the Hub, sent from the user's own wallet. The service takes no part in them: they work
// while it is down, and where no base address is published.

import type { Command } from 'commander';
import type { PreparedCall } from '../protocol/preparedCall.ts';
import { type DeploymentOptions, type WalletOptions, withDeployment, withWallet } from './options.ts';
import { type HubSession, hubSigning } from './session.ts';
import type { Terminal } from './terminal.ts';

/** Makes a command send what `callOf` makes of its arguments; what it returns beside the call is shown with the result. */
export function hubCommand(
  command: Command,
  terminal: Terminal,
  callOf: (
    session: HubSession,
    args: readonly string[],
    options: Record<string, string>,
  ) => Promise<{ readonly call: PreparedCall; readonly shown: object }>,
): Command {
  return withWallet(withDeployment(command)).action(async (...given: unknown[]) => {
    const options = given.at(-2) as DeploymentOptions & WalletOptions & Record<string, string>;
    const session = await hubSigning(options, terminal);
    const { call, shown } = await callOf(session, given.slice(0, -2) as string[], options);
    const { transactionHash: hash } = await session.send(call);
    session.show({ ...shown, transactions: [hash] }, [`${call.function_name} ${hash}`]);
  });
}
