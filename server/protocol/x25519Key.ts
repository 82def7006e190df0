// X25519 public keys as they travel: 32 bytes in base64url without padding (RFC 7748).
// Must never accept a low-order point: a shared secret with one is zero, whatever the private key.
import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase64Url } from './base64Url.ts';

/** Length of an X25519 key in bytes. */
export const X25519_KEY_BYTES = 32;

/**
 * Every u-coordinate of order 1, 2, 4 or 8 below 2^255, little-endian: 0, 1, the two of order 8, p - 1, p and p + 1
 * (RFC 7748 section 6.1; the top bit of a key is ignored).
 */
const LOW_ORDER_POINTS: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

/** True when 32 bytes are a point of low order, with or without the ignored top bit. */
export function isLowOrderX25519Key(key: Uint8Array): boolean {
  const masked = Uint8Array.from(key);
  masked[X25519_KEY_BYTES - 1] = masked[X25519_KEY_BYTES - 1]! & 0x7f;
  return LOW_ORDER_POINTS.has(bytesToHex(masked));
}

/** The 32 bytes of a public key in base64url, or in one sentence what is wrong with it. */
export function readX25519PublicKey(text: string): { key: Uint8Array<ArrayBuffer> } | { problem: string } {
  const key = decodeBase64Url(text);
  if (key?.length !== X25519_KEY_BYTES) {
    return { problem: 'An X25519 public key is 32 bytes in base64url without padding: 43 characters.' };
  }
  if (isLowOrderX25519Key(key))
    return { problem: 'This X25519 key is a point of low order and keeps no secret.' };
  return { key };
}
