// SHA-256 as the envelope writes it (specification section 1: digests inside a Submission envelope are SHA-256).
// Must never be used for an on-chain commitment: those are keccak256, see commitment.ts.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** SHA-256 of exact bytes as 64 lower-case hex digits without `0x` (FIPS 180-4). */
export function sha256Hex(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}
