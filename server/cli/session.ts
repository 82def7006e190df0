// What a command works with: the client of its deployment, the wallet where it signs, and how it asks, tells and shows.

import { createPublicClient, createWalletClient, http, type PrivateKeyAccount } from 'viem';
import type { PreparedCall } from '../protocol/preparedCall.ts';
import { createClient, type ServiceClient } from '../sdk/client.ts';
import type { Waiting } from '../sdk/patience.ts';
import type { Sending } from '../sdk/sendPrepared.ts';
import { confirmation } from './confirmation.ts';
import { type Destination, destinationOf } from './deployment.ts';
import type { DeploymentOptions, WalletOptions } from './options.ts';
import type { Terminal } from './terminal.ts';
import { accountOf } from './wallet.ts';

/** Everything for one command. */
export interface Session {
  readonly terminal: Terminal;
  readonly destination: Destination;
  readonly client: ServiceClient;
  /** A line about what happens. */
  say(line: string): void;
  /** The result: JSON where it was asked for, else the lines for people. */
  show(result: object, lines: readonly string[]): void;
}

/** A session with a wallet. */
export interface SigningSession extends Session {
  readonly account: PrivateKeyAccount;
  /** How transactions are sent: each is shown and confirmed before. */
  readonly sending: Omit<Sending, 'chain'>;
}

const POLLING_MS = 500;

/** A session that reads. */
export async function reading(options: DeploymentOptions, terminal: Terminal): Promise<Session> {
  return sessionOf(await destinationOf(options, terminal), options, terminal);
}

/** A session that signs and sends. */
export async function signing(
  options: DeploymentOptions & WalletOptions,
  terminal: Terminal,
): Promise<SigningSession> {
  const destination = await destinationOf(options, terminal);
  const account = await accountOf(options, terminal);
  const { chainId } = destination.deployment;
  const transport = http(destination.rpcUrl);
  const wallet = createWalletClient({ account, transport, pollingInterval: POLLING_MS });
  const session = sessionOf(destination, options, terminal, wallet);
  const confirm = confirmation(terminal, options.yes === true, { chainId, from: account.address });
  const onSent = (hash: string, { function_name: name }: PreparedCall): void =>
    session.say(`${name}: transaction ${hash}`);
  return { ...session, account, sending: { wallet, onCall: confirm, onSent } };
}

function sessionOf(
  destination: Destination,
  options: DeploymentOptions,
  terminal: Terminal,
  signer?: Parameters<typeof createClient>[0]['signer'],
): Session {
  const { deployment, baseUrl, rpcUrl } = destination;
  const say = (line: string): void => terminal.log(`${line}\n`);
  const chain = createPublicClient({ transport: http(rpcUrl), pollingInterval: POLLING_MS });
  const onWait = ({ code, message, seconds }: Waiting): void =>
    say(`${code}: ${message} Waiting ${seconds} s.`);
  const client = createClient({ baseUrl, deployment, chain, signer, onWait });
  const show = (result: object, lines: readonly string[]): void =>
    terminal.out(options.json ? `${JSON.stringify(result)}\n` : lines.map((line) => `${line}\n`).join(''));
  return { terminal, destination, client, say, show };
}
