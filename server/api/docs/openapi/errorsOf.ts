// Every error code that an operation may answer: those that its declaration names, and those that follow from its kind.

import type { Route } from '../../../http/route.ts';
import type { ErrorCode } from '../../../protocol/errors.ts';

const FACTS_UNAVAILABLE: readonly ErrorCode[] = [
  'bounty_chain_state_unavailable',
  'bounty_projection_unavailable',
];

/** The codes of a route, each once, in alphabetical order. */
export function errorsOf(route: Route): ErrorCode[] {
  const { policy, unavailableAs, limited, body } = route;
  const implied: ErrorCode[] = [route.invalid, 'invalid_request', 'internal_error', 'request_timeout'];
  // A body where none is taken, one with an encoding, one of another type: refused on every route.
  implied.push('payload_too_large', 'unsupported_media_type');
  if (limited || policy) implied.push('rate_limited');
  if (policy) implied.push('unauthorized', 'forbidden', 'service_unavailable');
  if (policy) implied.push(...(unavailableAs ? [unavailableAs] : FACTS_UNAVAILABLE));
  // A path that could be read in two ways is no path of this service.
  if (Object.keys(route.path).length > 0 || body.kind === 'stream') implied.push('not_found');
  return [...new Set([...implied, ...route.errors])].sort();
}
