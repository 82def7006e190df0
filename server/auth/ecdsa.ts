// Whose key made a signature over a digest: local recovery, no call. Native libsecp256k1 where it loads, pure JavaScript
// otherwise; both give the same answers. High-s is accepted: replays are keyed by digest and signer, never by bytes.

import { keccak_256 } from '@noble/hashes/sha3.js';
import { type Address, type Hex, hexToBytes, recoverAddress } from 'viem';

/** The address whose key signed the digest, lower-case; undefined when the bytes are no such signature. */
export type RecoverSigner = (digest: Hex, signature: Hex) => Promise<Address | undefined>;

interface NativeSecp256k1 {
  ecdsaRecover(signature: Uint8Array, recoveryId: number, message: Uint8Array, compressed: false): Uint8Array;
}

const COMPACT_BYTES = 64;
const FULL_BYTES = 65;

interface Parts {
  readonly compact: Uint8Array;
  readonly yParity: 0 | 1;
}

/** r, s and y parity of 65 bytes (v 27, 28, 0 or 1) or of 64 bytes (EIP-2098); undefined for any other form. */
export function splitSignature(signature: Hex): Parts | undefined {
  const bytes = hexToBytes(signature);
  if (bytes.length === FULL_BYTES) {
    const v = bytes[COMPACT_BYTES] as number;
    const yParity = v >= 27 ? v - 27 : v;
    if (yParity !== 0 && yParity !== 1) return undefined;
    return { compact: bytes.slice(0, COMPACT_BYTES), yParity };
  }
  if (bytes.length !== COMPACT_BYTES) return undefined;
  const yParity = ((bytes[32] as number) >> 7) as 0 | 1;
  const compact = bytes.slice();
  compact[32] = (compact[32] as number) & 0x7f;
  return { compact, yParity };
}

/** Recovery in pure JavaScript. */
export const recoverPure: RecoverSigner = async (digest, signature) => {
  const parts = splitSignature(signature);
  if (!parts) return undefined;
  const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
  try {
    const r = hex(parts.compact.subarray(0, 32));
    const s = hex(parts.compact.subarray(32));
    const address = await recoverAddress({ hash: digest, signature: { r, s, yParity: parts.yParity } });
    return address.toLowerCase() as Address;
  } catch {
    return undefined;
  }
};

/** Recovery in libsecp256k1. */
export function recoverNative(native: NativeSecp256k1): RecoverSigner {
  return async (digest, signature) => {
    const parts = splitSignature(signature);
    if (!parts) return undefined;
    try {
      const key = native.ecdsaRecover(parts.compact, parts.yParity, hexToBytes(digest), false);
      return `0x${Buffer.from(keccak_256(key.subarray(1)).subarray(12)).toString('hex')}`;
    } catch {
      return undefined;
    }
  };
}

/** The quickest recovery that this machine has. */
export async function loadRecovery(): Promise<{ recover: RecoverSigner; native: boolean }> {
  try {
    // The bindings alone: the package's own fallback is another, older library than ours.
    const module = (await import('secp256k1/bindings.js' as string)) as { default: NativeSecp256k1 };
    return { recover: recoverNative(module.default), native: true };
  } catch {
    return { recover: recoverPure, native: false };
  }
}
