// What a command works with: the client of its deployment, the wallet where it signs, and how it asks, tells and shows.

import {
  type Client,
  createPublicClient,
  createWalletClient,
  http,
  type PrivateKeyAccount,
  type TransactionReceipt,
} from 'viem';
import type { PreparedCall } from '../protocol/preparedCall.ts';
import { createClient, type ServiceClient, type Wallet } from '../sdk/client.ts';
import { type Hub, hubOn } from '../sdk/hub.ts';
import type { Waiting } from '../sdk/patience.ts';
import { type Sending, sendPrepared } from '../sdk/sendPrepared.ts';
import { type Confirmation, confirmation } from './confirmation.ts';
import { type ChainDestination, chainDestinationOf, type Destination, destinationOf } from './deployment.ts';
import type { DeploymentOptions, WalletOptions } from './options.ts';
import { printable } from './printable.ts';
import { type Show, showOn } from './show.ts';
import type { Terminal } from './terminal.ts';
import { accountOf } from './wallet.ts';

/** How a command speaks. */
interface Voice {
  readonly terminal: Terminal;
  /** A line about what happens. */
  say(line: string): void;
  /** The result: JSON where it was asked for, else the lines for people. */
  readonly show: Show;
}

/** A wallet that asks before it acts. */
interface Signer {
  readonly account: PrivateKeyAccount;
  readonly confirm: Confirmation;
  /** How transactions are sent: each is shown and confirmed before. */
  readonly sending: Omit<Sending, 'chain'>;
}

/** Everything for one command. */
export interface Session extends Voice {
  readonly destination: Destination;
  readonly client: ServiceClient;
}

/** A session with a wallet. */
export interface SigningSession extends Session, Signer {}

/** A session with a wallet on the Hub alone: the service takes no part in it. */
export interface HubSession extends Voice, Signer {
  readonly destination: ChainDestination;
  readonly hub: Hub;
  /** Sends one call of the Hub. @throws HubError */
  send(call: PreparedCall): Promise<TransactionReceipt>;
}

const POLLING_MS = 500;

/** A session that reads. */
export async function reading(options: DeploymentOptions, terminal: Terminal): Promise<Session> {
  return sessionOf(await destinationOf(options, terminal), options, terminal);
}

/**
 * A session that signs requests and, where the command `sends`, transactions: then it is refused at once where nobody can
 * be asked and nobody said `--yes`.
 */
export async function signing(
  options: DeploymentOptions & WalletOptions,
  terminal: Terminal,
  { sends = false } = {},
): Promise<SigningSession> {
  const destination = await destinationOf(options, terminal);
  const voice = voiceOf(options, terminal);
  const signer = await signerOf(destination, options, voice);
  if (sends) signer.confirm.possible();
  return { ...sessionOf(destination, options, terminal, signer.sending.wallet), ...signer };
}

/** A session that sends calls of the Hub and needs no service. */
export async function hubSigning(
  options: DeploymentOptions & WalletOptions,
  terminal: Terminal,
): Promise<HubSession> {
  const destination = await chainDestinationOf(options, terminal);
  const voice = voiceOf(options, terminal);
  const signer = await signerOf(destination, options, voice);
  signer.confirm.possible();
  const chain = chainClient(destination);
  const { chainId, hubAddress } = destination.deployment;
  const from = signer.account.address;
  return {
    ...voice,
    ...signer,
    destination,
    hub: hubOn(chain, hubAddress),
    async send(call) {
      const [receipt] = await sendPrepared({ chainId, from, calls: [call] }, { ...signer.sending, chain });
      return receipt!;
    },
  };
}

function sessionOf(
  destination: Destination,
  options: DeploymentOptions,
  terminal: Terminal,
  signer?: Wallet,
): Session {
  const { deployment, baseUrl } = destination;
  const voice = voiceOf(options, terminal);
  const onWait = ({ code, message, seconds }: Waiting): void =>
    voice.say(`${code}: ${message} Waiting ${seconds} s.`);
  const client = createClient({ baseUrl, deployment, chain: chainClient(destination), signer, onWait });
  return { ...voice, destination, client };
}

function voiceOf(options: DeploymentOptions, terminal: Terminal): Voice {
  const say = (line: string): void => terminal.log(`${printable(line)}\n`);
  return { terminal, say, show: showOn(terminal, options) };
}

async function signerOf(
  { deployment: { chainId }, rpcUrl }: ChainDestination,
  options: WalletOptions,
  { terminal, say }: Voice,
): Promise<Signer> {
  const account = await accountOf(options, terminal);
  const wallet = createWalletClient({ account, transport: http(rpcUrl), pollingInterval: POLLING_MS });
  const confirm = confirmation(terminal, options.yes === true, { chainId, from: account.address });
  const onSent = (hash: string, { function_name: name }: PreparedCall): void =>
    say(`${name}: transaction ${hash}`);
  return { account, confirm, sending: { wallet, onCall: confirm.call, onSent } };
}

function chainClient({ rpcUrl }: ChainDestination): Client {
  return createPublicClient({ transport: http(rpcUrl), pollingInterval: POLLING_MS });
}
