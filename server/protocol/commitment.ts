// The one commitment of the service: keccak256 over exact bytes (specification section 1, commitment model).
// Must never canonicalize, trim or re-encode: one changed byte is a different commitment.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Hex } from 'viem';

/** A keccak256 that takes its bytes piece by piece, for files that are read as a stream. */
export interface RunningCommitment {
  /** Takes the next bytes in order. */
  update(chunk: Uint8Array): void;
  /** Ends the hash; nothing may be added afterwards. */
  commitment(): Hex;
}

/** `keccak256(bytes)` as `0x` and 64 lower-case hex digits (specification section 1). */
export function commitmentOf(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(keccak_256(bytes))}`;
}

/** The same as {@link commitmentOf} over a stream of chunks; equal however the bytes are cut. */
export function runningCommitment(): RunningCommitment {
  const hash = keccak_256.create();
  return {
    update: (chunk) => {
      hash.update(chunk);
    },
    commitment: () => `0x${bytesToHex(hash.digest())}`,
  };
}
