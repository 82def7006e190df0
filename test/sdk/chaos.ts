// The service on a bad day, so that clients learn to retry: some valid approvals are refused, some answers come late, and
// now and then it is away or asks to go slower. Not random, so that a failure can be repeated.

import type { WireProxy } from '../faults/wireProxy.ts';
import { refusing } from './refusing.ts';

/** How often each fault was told so far. */
export interface ChaosTold {
  refused: number;
  away: number;
  slower: number;
  slow: number;
}

const SLOW_MS = 20;

/** Lets it rain on everything that passes the proxy: every 20th request is refused, every 97th finds nobody. */
export function chaos(proxy: WireProxy): ChaosTold {
  const told: ChaosTold = { refused: 0, away: 0, slower: 0, slow: 0 };
  let count = 0;
  proxy.fault = () => {
    count += 1;
    if (count % 20 === 0) {
      told.refused += 1;
      return refusing(401, 'unauthorized');
    }
    if (count % 97 === 0) {
      told.away += 1;
      return refusing(503, 'bounty_projection_unavailable', 1);
    }
    if (count % 151 === 0) {
      told.slower += 1;
      return refusing(429, 'rate_limited', 1);
    }
    if (count % 7 === 0) {
      told.slow += 1;
      return { kind: 'delay', milliseconds: SLOW_MS };
    }
    return undefined;
  };
  return told;
}
