// The keys and passwords of one local stack, made on its first start and kept in its data folder, readable by its owner
// alone, so that a stack with a lasting folder comes up again as the same deployment. They must never be logged.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EncryptionKeyPair, GUARDIAN_COUNT, newEncryptionKeyPair } from './localAccounts.ts';

/** Everything of a local stack that is drawn at random. */
export interface StackSecrets {
  readonly databasePasswords: {
    readonly superuser: string;
    readonly graphNode: string;
    readonly service: string;
  };
  readonly guardianKeys: readonly EncryptionKeyPair[];
  /** X25519, base64url. */
  readonly deliveryPrivateKey: string;
  /** 32 bytes, base64url. */
  readonly urlSigningKey: string;
  readonly reviewerApiKey: string;
}

/** Reads the secrets of a data folder, or makes and keeps them when it has none. */
export function stackSecrets(dataDir: string): StackSecrets {
  const path = join(dataDir, 'secrets.json');
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as StackSecrets;
  const random = (): string => randomBytes(32).toString('base64url');
  const secrets: StackSecrets = {
    databasePasswords: { superuser: random(), graphNode: random(), service: random() },
    guardianKeys: Array.from({ length: GUARDIAN_COUNT }, newEncryptionKeyPair),
    deliveryPrivateKey: newEncryptionKeyPair().privateKey,
    urlSigningKey: random(),
    reviewerApiKey: random(),
  };
  writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}
