// Whole answers as bytes, for as long as what they rest on cannot change: the key names the block and the subject.
// Single-flight: however many ask at once, an answer is made once. An answer that is not complete is never kept.

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A finished answer. */
export interface Answer {
  readonly bytes: Uint8Array;
  /** A strong entity tag over the bytes (RFC 9110 section 8.8.3). */
  readonly etag: string;
}

/** Answers by key, bounded by bytes. */
export interface AnswerCache {
  /** The kept answer, or the one being made, or a new one. `make` says whether its value is complete. */
  get(key: string, make: () => Promise<{ json: unknown; complete: boolean }>): Promise<Answer>;
}

const CACHE_BYTES = 64 * 1024 * 1024;

/** An empty cache. */
export function createAnswerCache(): AnswerCache {
  const kept = new LRUCache<string, Answer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 100,
  });
  const underWay = new Map<string, Promise<Answer>>();
  return {
    async get(key, make) {
      const held = kept.get(key) ?? underWay.get(key);
      if (held) return held;
      const work = make()
        .then(({ json, complete }) => {
          const bytes = Buffer.from(JSON.stringify(json));
          const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
          const answer = { bytes, etag };
          if (complete) kept.set(key, answer);
          return answer;
        })
        .finally(() => underWay.delete(key));
      underWay.set(key, work);
      return work;
    },
  };
}
