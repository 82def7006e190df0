// The walk of one request, in the specification's order; the first failure stops it:
// bytes -> path and query -> approval -> pinned facts and policy -> body shape -> handler.

import type { IncomingMessage } from 'node:http';
import type { Snapshot } from '../adapters/hubIndex.ts';
import type { Services } from '../adapters/services.ts';
import type { Approval, VerifyApproval } from '../auth/approval.ts';
import { type ErrorCode, ServiceError } from '../protocol/errors.ts';
import { checkContentEncoding, checkContentType, checkDeclaredLength, readBody } from './body.ts';
import { parseParameters, readQuery } from './query.ts';
import type { BodyRule, Parameters, Parsed, Reply, Route } from './route.ts';

/** A request whose route is known. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly rawQuery: string;
  /** Raw path segments by name. */
  readonly segments: Readonly<Record<string, string>>;
  readonly clientAddress: string;
  readonly signal: AbortSignal;
}

/** Counts requests per client address and per signer. @throws ServiceError 429 */
export interface RateLimits {
  countAddress(address: string): void;
  countSigner(signer: string): void;
}

/** What the walk needs beside the services. */
export interface Walker {
  readonly services: Services;
  readonly verifyApproval: VerifyApproval;
  readonly rates: RateLimits;
}

const NO_BYTES = new Uint8Array(0);

/** Walk one request down to its handler. @throws ServiceError whichever step refused */
export async function walk(route: Route, incoming: Incoming, walker: Walker): Promise<Reply> {
  try {
    return await steps(route, incoming, walker);
  } catch (error) {
    throw route.unavailableAs ? renamed(error, route.unavailableAs) : error;
  }
}

const FACTS_UNAVAILABLE: readonly ErrorCode[] = [
  'bounty_chain_state_unavailable',
  'bounty_projection_unavailable',
];

function renamed(error: unknown, code: ErrorCode): unknown {
  const isAboutFacts = error instanceof ServiceError && FACTS_UNAVAILABLE.includes(error.code);
  return isAboutFacts ? new ServiceError(code, { ...error.details, cause: error }) : error;
}

async function steps(route: Route, incoming: Incoming, walker: Walker): Promise<Reply> {
  const { services, verifyApproval, rates } = walker;
  const { request } = incoming;
  const bytes = await takeBytes(route.body, request);
  const { path, query } = parseTarget(route, incoming);
  if (route.limited) rates.countAddress(incoming.clientAddress);

  let approval: Approval | undefined;
  let facts: unknown;
  let body: unknown;
  if (route.policy) {
    approval = await verifyApproval(request, bytes, incoming.clientAddress);
    rates.countSigner(approval.signer);
    if (route.policy.readsBody) body = parseBody(route, bytes, path);
    const snapshot = once(() => services.hubIndex.snapshot());
    facts = await route.policy.check({ signer: approval.signer, path, query, body, snapshot }, services);
  }
  if (!route.policy?.readsBody) body = parseBody(route, bytes, path);

  return route.handle(
    {
      path,
      query,
      body,
      bytes,
      stream: request,
      header: (name: string) => singleHeader(request, name),
      facts,
      approval,
      clientAddress: incoming.clientAddress,
      charge: () => rates.countAddress(incoming.clientAddress),
      signal: incoming.signal,
    },
    services,
  );
}

async function takeBytes(rule: BodyRule<unknown, never>, request: IncomingMessage): Promise<Uint8Array> {
  checkContentEncoding(request);
  switch (rule.kind) {
    case 'none':
      return readBody(request, 0);
    case 'stream':
      checkContentType(request, rule.contentType);
      return NO_BYTES;
    case 'json':
    case 'markdown':
      checkDeclaredLength(request, rule.maxBytes);
      checkContentType(request, rule.kind === 'json' ? 'application/json' : 'text/markdown');
      return readBody(request, rule.maxBytes);
  }
}

function parseTarget(route: Route, incoming: Incoming) {
  const given = new Map(Object.entries(incoming.segments).map(([name, text]) => [name, [text]] as const));
  const path = parseParameters(route.path, given);
  const asked = readQuery(incoming.rawQuery);
  const query = 'issues' in asked ? asked : parseParameters(route.query, asked.given);
  if ('values' in path && 'values' in query) return { path: path.values, query: query.values };
  const issues = [...('issues' in path ? path.issues : []), ...('issues' in query ? query.issues : [])];
  throw new ServiceError(route.invalid, { issues });
}

function parseBody(route: Route, bytes: Uint8Array, path: Parsed<Parameters>): unknown {
  if (route.body.kind !== 'json' && route.body.kind !== 'markdown') return undefined;
  const parsed = route.body.parse(bytes, path);
  if ('value' in parsed) return parsed.value;
  throw new ServiceError(parsed.code ?? route.invalid, { issues: parsed.issues });
}

/** One read for the whole request: authorization and behaviour never look at two states. */
function once(read: () => Promise<Snapshot>): () => Promise<Snapshot> {
  let reading: Promise<Snapshot> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
