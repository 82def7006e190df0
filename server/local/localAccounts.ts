// Who acts on a local stack: accounts of the development mnemonic that everybody knows, in fixed parts, and the
// Guardians' encryption keys, which are the stack's own. Worth nothing anywhere else.

import { generateKeyPairSync } from 'node:crypto';
import { bytesToHex, type Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { LOCAL_MNEMONIC } from './chain.ts';

const GUARDIAN_NAMES = ['Ada', 'Barbara', 'Chien-Shiung', 'Dorothy', 'Emmy'];
const SOLVER_COUNT = 3;

/** An account of the local chain, with ether; wire form. */
export interface LocalAccount {
  /** EIP-55. */
  readonly address: Hex;
  readonly private_key: Hex;
}

/** A member of the local roster; the encryption keys are 32-byte X25519 in base64url without padding. */
export interface LocalGuardian extends LocalAccount {
  readonly name: string;
  readonly encryption_private_key: string;
  readonly encryption_public_key: string;
}

/** Everybody on a local stack; Guardians ascend by address, as in a roster. */
export interface LocalAccounts {
  /** Owns the Hub and is its treasury. */
  readonly owner: LocalAccount;
  readonly poster: LocalAccount;
  readonly solvers: readonly LocalAccount[];
  readonly guardians: readonly LocalGuardian[];
  /** Funded, but nobody in particular: no Poster, no Solver, no Guardian. */
  readonly stranger: LocalAccount;
}

/** An X25519 key pair, each half 32 bytes in base64url. */
export interface EncryptionKeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** How many key pairs {@link localAccounts} takes. */
export const GUARDIAN_COUNT = GUARDIAN_NAMES.length;

/** A fresh X25519 key pair (RFC 7748). */
export function newEncryptionKeyPair(): EncryptionKeyPair {
  const { d, x } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  if (d === undefined || x === undefined) throw new Error('X25519 keys did not export');
  return { privateKey: d, publicKey: x };
}

/** Hands out the mnemonic's accounts: 0 owner, 1 Poster, 2 to 4 Solvers, 5 to 9 Guardians, 10 the stranger. */
export function localAccounts(keyPairs: readonly EncryptionKeyPair[]): LocalAccounts {
  const account = (addressIndex: number): LocalAccount => {
    const derived = mnemonicToAccount(LOCAL_MNEMONIC, { addressIndex });
    const key = derived.getHdKey().privateKey;
    if (!key) throw new Error('The mnemonic gave no private key');
    return { address: derived.address, private_key: bytesToHex(key) };
  };
  const firstGuardian = 2 + SOLVER_COUNT;
  const guardianAccounts = GUARDIAN_NAMES.map((_, index) => account(firstGuardian + index)).sort((a, b) =>
    BigInt(a.address) < BigInt(b.address) ? -1 : 1,
  );
  return {
    owner: account(0),
    poster: account(1),
    solvers: Array.from({ length: SOLVER_COUNT }, (_, index) => account(2 + index)),
    guardians: guardianAccounts.map((guardian, index) => {
      const keys = keyPairs[index];
      if (keys === undefined) throw new Error(`Guardian ${index} has no encryption keys`);
      return {
        name: GUARDIAN_NAMES[index] as string,
        ...guardian,
        encryption_private_key: keys.privateKey,
        encryption_public_key: keys.publicKey,
      };
    }),
    stranger: account(firstGuardian + GUARDIAN_NAMES.length),
  };
}
