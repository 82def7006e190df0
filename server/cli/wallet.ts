// The user's own wallet: a key file, the environment, or an encrypted keystore (Web3 Secret Storage, version 3). Never an
// argument, which every user of the machine can read. Must never print a key.

import { open, readFile } from 'node:fs/promises';
import { Keystore } from 'ox';
import type { Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { UsageError } from './exitCode.ts';
import type { WalletOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

const KEY = /^(0x)?[0-9a-f]{64}$/i;
const OTHERS = 0o077;

/** The account that signs. @throws UsageError that says where a key may come from */
export async function accountOf(options: WalletOptions, terminal: Terminal): Promise<PrivateKeyAccount> {
  if (options.keyFile !== undefined && options.keystore !== undefined)
    throw new UsageError('Name --key-file or --keystore, not both.');
  if (options.keystore !== undefined)
    return accountOfKey(await fromKeystore(options, terminal), options.keystore);
  if (options.keyFile !== undefined) return accountOfKey(await secretIn(options.keyFile), options.keyFile);
  const variable = terminal.environment.SERVICE_CLI_PRIVATE_KEY;
  if (variable) return accountOfKey(variable, 'SERVICE_CLI_PRIVATE_KEY');
  throw new UsageError('This command signs: name your wallet with --key-file or --keystore.');
}

/** The text of a file that nobody else can read. @throws UsageError */
export async function secretIn(path: string): Promise<string> {
  const file = await open(path).catch(() => {
    throw new UsageError(`Cannot read ${path}.`);
  });
  try {
    // Of the open file: what is looked at is what is read.
    const { mode } = await file.stat();
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw new UsageError(`Others can read ${path}: run chmod 600 on it, and think about a new key.`);
    return (await file.readFile('utf8')).trim();
  } finally {
    await file.close();
  }
}

async function fromKeystore({ keystore, passwordFile }: WalletOptions, terminal: Terminal): Promise<string> {
  const text = await readFile(keystore!, 'utf8').catch(() => {
    throw new UsageError(`Cannot read ${keystore}.`);
  });
  const password = await passwordOf(passwordFile, terminal);
  try {
    const parsed = JSON.parse(text) as Keystore.Keystore;
    return Keystore.decrypt(parsed, await Keystore.toKeyAsync(parsed, { password }));
  } catch {
    throw new UsageError(`${keystore} is no keystore of version 3, or the password is another.`);
  }
}

async function passwordOf(file: string | undefined, terminal: Terminal): Promise<string> {
  if (file !== undefined) return secretIn(file);
  if (!terminal.isInteractive) throw new UsageError("Name the keystore's password with --password-file.");
  return terminal.ask('Password of the keystore: ', true);
}

function accountOfKey(text: string, source: string): PrivateKeyAccount {
  const key = text.trim();
  if (!KEY.test(key)) throw new UsageError(`${source} holds no private key of 32 bytes in hex.`);
  return privateKeyToAccount((key.startsWith('0x') ? key : `0x${key}`) as Hex);
}
