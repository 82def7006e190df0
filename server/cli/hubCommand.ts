// Commands that are one call of the Hub, sent from the user's own wallet; the service takes no part in them.

import type { Command } from 'commander';
import type { PreparedCall } from '../protocol/preparedCall.ts';
import { type DeploymentOptions, type WalletOptions, withDeployment, withWallet } from './options.ts';
import { type SigningSession, signing } from './session.ts';
import type { Terminal } from './terminal.ts';

/** Makes a command send what `callOf` makes of its arguments; what it returns beside the call is shown with the result. */
export function hubCommand(
  command: Command,
  terminal: Terminal,
  callOf: (
    session: SigningSession,
    args: readonly string[],
    options: Record<string, string>,
  ) => Promise<{ readonly call: PreparedCall; readonly shown: object }>,
): Command {
  return withWallet(withDeployment(command)).action(async (...given: unknown[]) => {
    const options = given.at(-2) as DeploymentOptions & WalletOptions & Record<string, string>;
    const session = await signing(options, terminal);
    const { call, shown } = await callOf(session, given.slice(0, -2) as string[], options);
    const { chainId } = session.destination.deployment;
    const checked = { chainId, from: session.account.address, calls: [call] };
    const [receipt] = await session.client.send(checked, session.sending);
    const hash = receipt!.transactionHash;
    session.show({ ...shown, transactions: [hash] }, [`${call.function_name} ${hash}`]);
  });
}
