// X25519 key pairs of Guardians, Posters and the deployment, from 32 random bytes that the caller brings (RFC 7748).
// Must never make randomness itself, print or keep a private key.
import { x25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64Url } from './base64Url.ts';

/** How many bytes of SHA-256 name a key: enough that nobody finds two keys of one name. */
const KEY_ID_BYTES = 16;

/** The 32-byte public key of a 32-byte private key. Throws when the length differs. */
export function x25519PublicKey(privateKey: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(x25519.getPublicKey(privateKey));
}

/** The name of a public key: the first 16 bytes of its SHA-256 in base64url, 22 characters. */
export function keyId(publicKey: Uint8Array): string {
  return encodeBase64Url(sha256(publicKey).slice(0, KEY_ID_BYTES));
}
