// The hash functions that the node stores blocks under (multicodec table): sha2-256, keccak-256 for public documents,
// whose commitment is their address.

import { createHash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { CID } from 'multiformats/cid';
import { create as createDigest, type Digest } from 'multiformats/hashes/digest';
import { RpcError } from './rpcError.ts';

const IDENTITY = 0x00;

const FUNCTIONS = {
  'sha2-256': {
    code: 0x12,
    hash: (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest()),
  },
  'keccak-256': { code: 0x1b, hash: (bytes: Uint8Array) => keccak_256(bytes) },
} as const;

/** The multihash of bytes under a function named as in the multicodec table; throws {@link RpcError} for others. */
export function multihashOf(bytes: Uint8Array, name: string): Digest<number, number> {
  const entry = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name as keyof typeof FUNCTIONS] : undefined;
  if (entry === undefined) throw new RpcError(`unrecognized multihash function: ${name}`);
  return createDigest(entry.code, entry.hash(bytes));
}

/** True when the bytes are those that the CID names; false also for a hash function that the node does not know. */
export function matches(cid: CID, bytes: Uint8Array): boolean {
  if (cid.multihash.code === IDENTITY) return sameBytes(cid.multihash.digest, bytes);
  const entry = Object.values(FUNCTIONS).find(({ code }) => code === cid.multihash.code);
  return entry !== undefined && sameBytes(entry.hash(bytes), cid.multihash.digest);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
