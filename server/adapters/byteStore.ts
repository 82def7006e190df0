// The bytes of the service on IPFS. Public documents lie under an address computed
// from their commitment. Envelopes and ciphertexts lie in MFS, and no public commitment yields an envelope's address.
// Storage is only availability: what is read is re-hashed, and "missing" is said only when the node itself said so.

import { type CiphertextStore, ciphertextStore } from './byteStore/ciphertexts.ts';
import { type DocumentStore, documentStore } from './byteStore/documents.ts';
import { type EnvelopeStore, envelopeStore } from './byteStore/envelopes.ts';
import { collectGarbage } from './byteStore/garbage.ts';
import { createGate } from './byteStore/gate.ts';
import { connectKubo } from './byteStore/kubo.ts';

/**
 * Everything that the service keeps on IPFS. Every method rejects with ServiceError `storage_unavailable` when the node
 * is down, hangs, breaks off or answers nonsense, the original failure as cause.
 */
export interface ByteStore extends DocumentStore, EnvelopeStore, CiphertextStore {
  /** Removes every block that is neither pinned nor linked; waits for the writes of this process. Returns how many. */
  collectGarbage(): Promise<number>;
  /** Resolves when the node answers. */
  health(): Promise<void>;
}

const HEALTH_SILENCE_MS = 2_000;

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
      await kubo.call(({ client, options: call }) => client.version(call), HEALTH_SILENCE_MS);
    },
  };
}
