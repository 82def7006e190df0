// Where bytes lie on IPFS, computed from their hash alone: `ipfs://` + CIDv1(raw, multihash of the hash).
// Public documents lie under keccak-256 of their commitment, ciphertexts under their SHA-256 (section 4: the client
// must derive the same locator itself). Must never be used for envelopes: their commitment is public, their bytes not.
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { base32 } from 'multiformats/bases/base32';
import { CID } from 'multiformats/cid';
import { create as createDigest } from 'multiformats/hashes/digest';
import type { Hex } from 'viem';

const RAW_CODEC = 0x55;
const SHA2_256 = 0x12;
const KECCAK_256 = 0x1b;
const DIGEST_BYTES = 32;
const SCHEME = 'ipfs://';

const HASH_HEX = /^[0-9a-f]{64}$/i;

/** The CID of a public document: CIDv1, codec raw, multihash keccak-256 of the commitment. Throws on a malformed one. */
export function commitmentCid(commitment: Hex): CID {
  return rawCid(KECCAK_256, commitment.startsWith('0x') ? commitment.slice(2) : '');
}

/** `ipfs://` and the CID of a public document, from its commitment. Throws on a malformed commitment. */
export function commitmentLocator(commitment: Hex): string {
  return SCHEME + commitmentCid(commitment).toString();
}

/** The commitment that a public document's locator names, or undefined for any other text. */
export function locatorCommitment(locator: string): Hex | undefined {
  const hex = locatorDigest(locator, KECCAK_256);
  return hex === undefined ? undefined : `0x${hex}`;
}

/** The CID that names a ciphertext: CIDv1, codec raw, multihash sha2-256. Throws on a malformed digest. */
export function ciphertextCid(ciphertextSha256: string): CID {
  return rawCid(SHA2_256, ciphertextSha256);
}

/** `ipfs://` and the name of a ciphertext, from its SHA-256 in hex without `0x`. Throws on a malformed digest. */
export function ciphertextLocator(ciphertextSha256: string): string {
  return SCHEME + ciphertextCid(ciphertextSha256).toString();
}

/** The SHA-256 (lower-case hex) that a ciphertext's locator names, or undefined for any other text. */
export function locatorCiphertextSha256(locator: string): string | undefined {
  return locatorDigest(locator, SHA2_256);
}

function rawCid(hashCode: number, hex: string): CID {
  if (!HASH_HEX.test(hex)) throw new TypeError('A hash of 32 bytes in hex is expected.');
  return CID.createV1(RAW_CODEC, createDigest(hashCode, hexToBytes(hex)));
}

function locatorDigest(locator: string, hashCode: number): string | undefined {
  if (!locator.startsWith(SCHEME)) return undefined;
  const text = locator.slice(SCHEME.length);
  let cid: CID;
  try {
    cid = CID.parse(text, base32);
  } catch {
    return undefined;
  }
  const { digest, code } = cid.multihash;
  const named =
    cid.version === 1 && cid.code === RAW_CODEC && code === hashCode && digest.length === DIGEST_BYTES;
  // One name for one hash: other spellings of the same CID are refused.
  return named && cid.toString(base32) === text ? bytesToHex(digest) : undefined;
}
