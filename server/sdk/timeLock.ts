// Time lock: an age file whose one stanza is drand's `tlock` (identity-based encryption to a round of a chain), as tlock's
// other tools write and read it. Locking needs no network; the chain comes from the deployment table, never from the API.

import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { Decrypter, Encrypter, type Identity, type Recipient, Stanza } from 'age-encryption';
import { decryptOnG2, encryptOnG2RFC9380 } from 'tlock-js/crypto/ibe.js';
import type { DrandNetwork } from '../protocol/drandNetwork.ts';
import { type BeaconOptions, DRAND_SCHEME, fetchBeacon } from './drandBeacon.ts';
import { TimeLockError } from './timeLockError.ts';

const STANZA = 'tlock';
/** A point of G2, compressed; then two values as long as age's file key. */
const POINT_BYTES = 96;
const FILE_KEY_BYTES = 16;

/** Which lock is meant. */
export interface TimeLock {
  readonly network: DrandNetwork;
  readonly round: number;
}

/**
 * Lock bytes to a round.
 *
 * @returns The binary age file
 * @throws TimeLockError `unsupported_scheme` for a chain of another signature scheme
 */
export async function lockToRound(plaintext: Uint8Array, { network, round }: TimeLock): Promise<Uint8Array> {
  requireScheme(network);
  const recipient: Recipient = {
    async wrapFileKey(fileKey) {
      const publicKey = hexToBytes(network.publicKey);
      const { U, V, W } = await encryptOnG2RFC9380(publicKey, roundIdentity(round), fileKey);
      return [new Stanza([STANZA, String(round), network.chainHash], concatBytes(U, V, W))];
    },
  };
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(plaintext.slice());
}

/**
 * Open what was locked to exactly this round of exactly this chain; the beacon is fetched and verified.
 *
 * @throws TimeLockError; `wrong_lock` for a file with another lock, or that was changed; TypeError for a relay that is no URL
 */
export async function unlock(
  file: Uint8Array,
  { network, round }: TimeLock,
  options: BeaconOptions = {},
): Promise<Uint8Array> {
  requireScheme(network);
  let failure: { readonly of: unknown } | undefined;
  const identity: Identity = {
    async unwrapFileKey(stanzas) {
      const [stanza] = stanzas;
      const isRight =
        stanzas.length === 1 &&
        stanza?.args.length === 3 &&
        stanza.args[0] === STANZA &&
        stanza.args[1] === String(round) &&
        stanza.args[2] === network.chainHash &&
        stanza.body.length === POINT_BYTES + 2 * FILE_KEY_BYTES;
      if (!isRight) return null;
      // Whatever keeps the beacon away says nothing about the lock, and must never pass for a wrong one.
      const signature = await fetchBeacon(network, round, options).catch((error: unknown) => {
        failure = { of: error };
        throw error;
      });
      const { body } = stanza;
      const U = body.subarray(0, POINT_BYTES);
      const V = body.subarray(POINT_BYTES, POINT_BYTES + FILE_KEY_BYTES);
      return decryptOnG2(signature, { U, V, W: body.subarray(POINT_BYTES + FILE_KEY_BYTES) });
    },
  };
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    return await decrypter.decrypt(file.slice());
  } catch (cause) {
    options.signal?.throwIfAborted();
    if (failure !== undefined) throw failure.of;
    const message = `This is not locked to round ${round} of the deployment's drand chain, or it was changed.`;
    throw new TimeLockError('wrong_lock', message, { cause });
  }
}

/** The identity of a round in tlock: SHA-256 of its number, as drand signs it. */
function roundIdentity(round: number): Uint8Array {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(round));
  return sha256(number);
}

function requireScheme({ scheme }: DrandNetwork): void {
  if (scheme === DRAND_SCHEME) return;
  throw new TimeLockError('unsupported_scheme', `The drand chain signs with ${scheme}, not ${DRAND_SCHEME}.`);
}
