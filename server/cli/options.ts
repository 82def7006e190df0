// Options that several commands share, and how they are read together: the deployment, the user's own RPC, the wallet.

import type { Command } from 'commander';
import type { Hex } from 'viem';
import { isUint256 } from '../protocol/shapeCheck.ts';
import { UsageError } from './exitCode.ts';

/** Options of every command that talks to a deployment. */
export interface DeploymentOptions {
  readonly deployment: string;
  readonly apiBaseUrl?: string;
  readonly rpcUrl?: string;
  readonly hub?: string;
  readonly json?: boolean;
}

/** Options of every command that signs. */
export interface WalletOptions {
  readonly keyFile?: string;
  readonly keystore?: string;
  readonly passwordFile?: string;
  readonly yes?: boolean;
}

/** Adds `--json`, which every command takes. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print one line of JSON');
}

/** Adds {@link DeploymentOptions}. */
export function withDeployment(command: Command): Command {
  return withJson(command)
    .option(
      '--deployment <name|file>',
      'mainnet, staging, local, or the JSON that `npm start` prints',
      'mainnet',
    )
    .option('--api-base-url <url>', "the service (or ELGORA_API_BASE_URL); default: the deployment's own")
    .option('--rpc-url <url>', 'your own RPC of the chain (or SERVICE_CLI_RPC_URL)')
    .option('--hub <address>', 'the Hub, where the deployment names none');
}

/** Adds {@link WalletOptions}. */
export function withWallet(command: Command): Command {
  return command
    .option(
      '--key-file <file>',
      'your private key in a file that only you can read (or SERVICE_CLI_PRIVATE_KEY)',
    )
    .option('--keystore <file>', 'your key as an encrypted JSON keystore')
    .option('--password-file <file>', "the keystore's password; else it is asked for")
    .option('--yes', 'send without asking');
}

/** A bounty id of the command line. @throws UsageError */
export function bountyIdOf(text: string): bigint {
  if (!isUint256(text)) throw new UsageError('The bounty id must be a decimal integer.');
  return BigInt(text);
}

/** 32 bytes of the command line. @throws UsageError */
export function bytes32Of(text: string, what: string): Hex {
  if (!/^0x[0-9a-f]{64}$/i.test(text)) throw new UsageError(`${what} must be 32 bytes in hex with 0x.`);
  return text.toLowerCase() as Hex;
}
