// A refusal in the service's own shape, told by a proxy before the request reaches the service.

import type { Fault } from '../faults/wireProxy.ts';

/** @param retryAfter Seconds, or the header's text */
export function refusing(status: number, code: string, retryAfter?: number | string): Fault {
  return {
    kind: 'status',
    status,
    body: JSON.stringify({ error: { code, message: 'chaos', issues: [], next_action: 'try again' } }),
    headers: {
      'Content-Type': 'application/json',
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
  };
}
