// The bytes of the service on IPFS (design: bytes, sealing, delivery). Public documents lie under an address computed
// from their commitment. Envelopes and ciphertexts lie in MFS, and no public commitment yields an envelope's address.
// Storage is only availability: what is read is re-hashed, and "missing" is said only when the node itself said so.

import type { Hex } from 'viem';
import { ciphertextStore } from './byteStore/ciphertexts.ts';
import { documentStore } from './byteStore/documents.ts';
import { envelopeStore } from './byteStore/envelopes.ts';
import { collectGarbage } from './byteStore/garbage.ts';
import { createGate } from './byteStore/gate.ts';
import { connectKubo } from './byteStore/kubo.ts';

/** What the node holds under a commitment: the bytes that hash to it, nothing, or other bytes. */
export type Stored =
  | { readonly state: 'found'; readonly bytes: Uint8Array }
  | { readonly state: 'missing' }
  | { readonly state: 'mismatch' };

/** What an uploaded ciphertext must be. */
export interface ExpectedCiphertext {
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  readonly byteLength: number;
}

/** A stored ciphertext: the root of its UnixFS DAG, by which other nodes can fetch it, and its size in bytes. */
export interface StoredCiphertext {
  readonly dagRoot: string;
  readonly byteLength: number;
}

/** A range of bytes; both ends inside the file. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Every method rejects with ServiceError `storage_unavailable` when the node is down, hangs, breaks off or answers
 * nonsense, the original failure as cause.
 */
export interface ByteStore {
  /**
   * Stores and pins a public document of at most 256 KiB under its commitment; the same again is no error.
   *
   * @throws ServiceError 413 `payload_too_large`
   */
  putDocument(bytes: Uint8Array): Promise<{ readonly commitment: Hex }>;
  getDocument(commitment: Hex): Promise<Stored>;
  /** Stores an envelope, whose keccak256 must be the commitment, for one bounty; the same again is no error. */
  putEnvelope(bountyId: string, commitment: Hex, bytes: Uint8Array): Promise<void>;
  getEnvelope(bountyId: string, commitment: Hex): Promise<Stored>;
  /** True when there was one. */
  removeEnvelope(bountyId: string, commitment: Hex): Promise<boolean>;
  listEnvelopes(): AsyncIterable<{ readonly bountyId: string; readonly commitment: Hex }>;
  /**
   * Takes a ciphertext whole or not at all: digest and length are checked on the way, and nothing is kept otherwise.
   *
   * @param locator `ipfs://` and the CID of the expected SHA-256
   * @throws ServiceError 400 `invalid_solver_submission` for other bytes, 413 `payload_too_large` at the first byte too
   *   many; a ServiceError of the source itself passes through
   */
  putCiphertext(
    locator: string,
    source: AsyncIterable<Uint8Array>,
    expected: ExpectedCiphertext,
    signal?: AbortSignal,
  ): Promise<{ readonly dagRoot: string }>;
  /** Undefined when nothing is linked under the locator, or the text is no ciphertext's locator. */
  statCiphertext(locator: string): Promise<StoredCiphertext | undefined>;
  /** The bytes as stored, not hashed; fails, rather than ends early, when they do not come whole. */
  readCiphertext(locator: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Unlinks; true when there was one. The space comes back with {@link ByteStore.collectGarbage}. */
  removeCiphertext(locator: string): Promise<boolean>;
  listCiphertexts(): AsyncIterable<StoredCiphertext & { readonly locator: string }>;
  /** Removes every block that is neither pinned nor linked; waits for the writes of this process. Returns how many. */
  collectGarbage(): Promise<number>;
  /** Resolves when the node answers. */
  health(): Promise<void>;
}

/** How to reach the node, beyond its URL. */
export interface ByteStoreOptions {
  /** How long the node may be silent, in milliseconds; default 10 000. */
  readonly silenceMs?: number;
  /** Where uploads wait for their check; default the system's folder for temporary files. Never a memory file system. */
  readonly spoolFolder?: string;
}

/** Opens the store over a Kubo RPC (`http://host:5001`); nothing is asked before the first call. */
export function openByteStore(apiUrl: string, options: ByteStoreOptions = {}): ByteStore {
  const kubo = connectKubo(apiUrl, options.silenceMs);
  const gate = createGate();
  return {
    ...documentStore(kubo),
    ...envelopeStore(kubo, gate),
    ...ciphertextStore(kubo, gate, options.spoolFolder),
    collectGarbage: () => gate.exclusive(() => collectGarbage(kubo)),
    health: async () => {
      await kubo.call(({ client, options: call }) => client.version(call));
    },
  };
}
