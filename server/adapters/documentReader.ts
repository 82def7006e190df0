// Public documents by commitment, believed only because they hash to it; verified bytes are kept in memory.
// A missing or wrong document is never kept: the next reader asks again.

import { LRUCache } from 'lru-cache';
import type { Hex } from 'viem';
import type { ByteStore } from './byteStore.ts';

/** What was found under a commitment; `unavailable` when the storage did not answer. */
export type DocumentState =
  | { readonly state: 'found'; readonly bytes: Uint8Array }
  | { readonly state: 'missing' | 'mismatch' | 'unavailable' };

/** Reads documents. */
export interface DocumentReader {
  /** Never rejects because of the storage: its failure is a state. `onMiss` is called before the storage is asked. */
  read(commitment: Hex, onMiss?: () => void): Promise<DocumentState>;
}

const CACHE_BYTES = 32 * 1024 * 1024;

/** A reader with an empty cache. */
export function createDocumentReader(byteStore: ByteStore): DocumentReader {
  const verified = new LRUCache<Hex, { bytes: Uint8Array }>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length + 100,
  });
  const underWay = new Map<Hex, Promise<DocumentState>>();

  const fetchOnce = async (commitment: Hex): Promise<DocumentState> => {
    const found = await byteStore.getDocument(commitment).catch(() => ({ state: 'unavailable' as const }));
    if (found.state === 'found') verified.set(commitment, { bytes: found.bytes });
    return found;
  };

  return {
    async read(commitment, onMiss) {
      const held = verified.get(commitment);
      if (held) return { state: 'found', bytes: held.bytes };
      const started = underWay.get(commitment);
      if (started) return started;
      onMiss?.();
      const work = fetchOnce(commitment).finally(() => underWay.delete(commitment));
      underWay.set(commitment, work);
      return work;
    },
  };
}
