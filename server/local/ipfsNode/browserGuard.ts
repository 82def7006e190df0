// A web page must not drive the node of whoever looks at it: requests that a browser made are refused, as Kubo does by
// default (DNS rebinding and cross-site requests). Tools send neither Origin nor Referer.

import type { IncomingMessage } from 'node:http';

/** True when the request carries the marks of a browser. */
export function looksLikeBrowser({ headers }: IncomingMessage): boolean {
  const agent = headers['user-agent'] ?? '';
  return headers.origin !== undefined || headers.referer !== undefined || agent.startsWith('Mozilla');
}
