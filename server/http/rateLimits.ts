// Requests a minute per client address and per signer, in memory of this process: a guard for the neighbours, not a quota.

import { LRUCache } from 'lru-cache';
import { ServiceError } from '../protocol/errors.ts';
import type { RateLimits } from './walk.ts';

const WINDOW_SECONDS = 60;
const TRACKED = 50_000;

/** @param perAddress,perSigner Requests a minute; 0 switches the limit off @param nowSeconds A monotonic clock */
export function createRateLimits(
  { perAddressPerMinute, perSignerPerMinute }: { perAddressPerMinute: number; perSignerPerMinute: number },
  nowSeconds: () => number,
): RateLimits {
  const addresses = bucket(perAddressPerMinute, nowSeconds);
  const signers = bucket(perSignerPerMinute, nowSeconds);
  return { countAddress: addresses, countSigner: signers };
}

// A token bucket: `limit` requests at once, refilled evenly over the window.
function bucket(limit: number, nowSeconds: () => number): (key: string) => void {
  if (limit === 0) return () => {};
  const levels = new LRUCache<string, { tokens: number; at: number }>({ max: TRACKED });
  const perSecond = limit / WINDOW_SECONDS;
  return (key) => {
    const now = nowSeconds();
    const level = levels.get(key) ?? { tokens: limit, at: now };
    const tokens = Math.min(limit, level.tokens + (now - level.at) * perSecond);
    if (tokens < 1) {
      throw new ServiceError('rate_limited', { retryAfterSeconds: Math.ceil((1 - tokens) / perSecond) });
    }
    levels.set(key, { tokens: tokens - 1, at: now });
  };
}
