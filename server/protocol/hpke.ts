// HPKE in base mode, single shot (RFC 9180): DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305.
// Randomness comes from WebCrypto inside the library. Must never take a low-order key on either side.
import { Chacha20Poly1305 } from '@hpke/chacha20poly1305';
import { CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { isLowOrderX25519Key, X25519_KEY_BYTES } from './x25519Key.ts';

/** Identifiers of the suite as RFC 9180 section 7 numbers them. */
export const HPKE_SUITE = { kem_id: 32, kdf_id: 1, aead_id: 3 } as const;

/** Length of the encapsulated key in bytes. */
export const HPKE_ENC_BYTES = 32;

/** How much longer than the plaintext a ciphertext is, in bytes. */
export const HPKE_TAG_BYTES = 16;

/** What both ends of a message must have in common. */
export interface HpkeBinding {
  readonly info: Uint8Array<ArrayBuffer>;
  readonly aad: Uint8Array<ArrayBuffer>;
}

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Chacha20Poly1305(),
});

/**
 * Seals a plaintext to a 32-byte public key: `enc || ct` (RFC 9180 section 6.1). `ephemeralSeed` makes the result
 * repeatable (section 7.1.3) and is for vectors alone. Throws a RangeError for a key of another length or low order.
 */
export async function hpkeSeal(
  publicKey: Uint8Array<ArrayBuffer>,
  plaintext: Uint8Array<ArrayBuffer>,
  { info, aad }: HpkeBinding,
  ephemeralSeed?: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  if (publicKey.length !== X25519_KEY_BYTES || isLowOrderX25519Key(publicKey)) {
    throw new RangeError('An X25519 public key of 32 bytes that is not of low order is expected.');
  }
  const recipientPublicKey = await suite.kem.importKey('raw', publicKey.slice().buffer, true);
  const parameters = {
    recipientPublicKey,
    info,
    ...(ephemeralSeed === undefined ? {} : { ekm: ephemeralSeed }),
  };
  const { enc, ct } = await suite.seal(parameters, plaintext, aad);
  const message = new Uint8Array(enc.byteLength + ct.byteLength);
  message.set(new Uint8Array(enc), 0);
  message.set(new Uint8Array(ct), enc.byteLength);
  return message;
}

/**
 * Opens `enc || ct` with a 32-byte private key, or undefined when it does not open: another key, another binding,
 * changed bytes, or an encapsulated key of low order. Never throws on what a stranger made.
 */
export async function hpkeOpen(
  privateKey: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
  { info, aad }: HpkeBinding,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const enc = message.slice(0, HPKE_ENC_BYTES);
  const ct = message.slice(HPKE_ENC_BYTES);
  if (ct.length < HPKE_TAG_BYTES || isLowOrderX25519Key(enc)) return undefined;
  const recipientKey = await suite.kem.importKey('raw', privateKey.slice().buffer, false);
  try {
    return new Uint8Array(await suite.open({ recipientKey, enc, info }, ct, aad));
  } catch {
    return undefined;
  }
}
