// `service-cli keygen <kind> --out <file>`: a fresh secret in a file that only its owner can read, its public part on
// stdout. Must never print a secret, never overwrite a file, and needs no network and no configuration.

import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Argument, Command } from 'commander';
import { bytesToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { encodeBase64Url } from '../../protocol/base64Url.ts';
import { keyId, x25519PublicKey } from '../../protocol/x25519KeyPair.ts';
import { CommandError } from '../exitCode.ts';
import { withJson } from '../options.ts';
import { jsonLine } from '../printable.ts';
import type { Terminal } from '../terminal.ts';

interface FreshKey {
  /** What goes into the file. */
  readonly secret: string;
  /** What everybody may know, as it is printed. */
  readonly shown: object;
}

const KEY_BYTES = 32;

function encryptionKey(): FreshKey {
  const secret = randomBytes(KEY_BYTES);
  const publicKey = x25519PublicKey(secret);
  return {
    secret: secret.toString('base64url'),
    shown: { algorithm: 'X25519', public_key: encodeBase64Url(publicKey), key_id: keyId(publicKey) },
  };
}

const KINDS: Readonly<Record<string, () => FreshKey>> = {
  /** DELIVERY_PRIVATE_KEY of a deployment. */
  delivery: encryptionKey,
  /** The key that Solvers encrypt to: its public part goes into the roster. */
  guardian: encryptionKey,
  /** URL_SIGNING_KEY of a deployment. */
  'url-signing': () => ({
    secret: randomBytes(KEY_BYTES).toString('base64url'),
    shown: { algorithm: 'HMAC-SHA256' },
  }),
  /** An account of the chain. */
  wallet() {
    const secret = bytesToHex(randomBytes(KEY_BYTES));
    return { secret, shown: { address: privateKeyToAccount(secret).address } };
  },
};

/** The command. */
export function keygenCommand(terminal: Terminal): Command {
  return withJson(new Command('keygen'))
    .description('Make a fresh key: the secret goes into a new file of mode 600, the public part to stdout.')
    .addArgument(new Argument('<kind>', 'what the key is for').choices(Object.keys(KINDS)))
    .requiredOption('--out <file>', 'the file for the secret; it must not exist')
    .addHelpText('after', '\nExample:\n  service-cli keygen delivery --out secrets/delivery_private_key')
    .action(async (kind: string, { out }: { out: string }) => {
      const { secret, shown } = KINDS[kind]!();
      await writeFile(out, `${secret}\n`, { flag: 'wx', mode: 0o600 }).catch(
        (failure: NodeJS.ErrnoException) => {
          throw new CommandError(
            failure.code === 'EEXIST'
              ? `${out} exists already: name another file.`
              : `Cannot write ${out}: the file system answers ${failure.code}.`,
          );
        },
      );
      // The public part has names of its own for each kind: it is JSON for people too.
      terminal.out(jsonLine(shown));
    });
}
