// Koa's side of a request: request id, security headers, CORS, strict paths, and the one place that writes errors to the
// wire. What a request means is decided in walk.ts; this file only carries it in and out.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Context, Middleware, Next } from 'koa';
import type { Logger } from '../adapters/log.ts';
import type { Metrics } from '../adapters/metrics.ts';
import { isCanonicalPath } from '../protocol/canonicalPath.ts';
import { splitTarget } from '../protocol/canonicalQuery.ts';
import { errorObject, ServiceError } from '../protocol/errors.ts';
import type { Reply, Route } from './route.ts';
import { type Walker, walk } from './walk.ts';

const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Retry-After, X-Request-Id, Accept-Ranges, Content-Range, Location',
};

/** What the pipeline needs. */
export interface Pipeline {
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly walker: Walker;
  /** The client's address: the socket's, or the last hop that is not a trusted proxy. */
  readonly clientAddress: (context: Context) => string;
}

/** Outermost: writes what comes back, whatever happens further in. */
export function answering({ log, metrics, walker }: Pipeline): Middleware {
  return async (context: Context, next: Next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    context.set({ ...ALWAYS, 'X-Request-Id': requestId });
    if (walker.services.lifecycle.isStopping) context.set('Connection', 'close');
    context.state.log = log.child({ requestId });
    try {
      await next();
    } catch (error) {
      writeError(context, error, context.state.log as Logger);
    }
    // The template, never the path itself: paths carry tokens.
    const route = (context.state.route as Route | undefined)?.route ?? 'none';
    const seconds = (performance.now() - startedAt) / 1000;
    metrics.requests.observe({ method: context.method, route, status: String(context.status) }, seconds);
    (context.state.log as Logger).info(
      { method: context.method, route, status: context.status, seconds },
      'answered',
    );
  };
}

/** Paths that could be read in two ways are not found; preflights are answered for every path. */
export function strictPaths(allowedMethods: (pathname: string) => readonly string[]): Middleware {
  return async (context: Context, next: Next) => {
    requireOneHost(context.req);
    const { pathname } = splitTarget(context.req.url ?? '');
    if (!isCanonicalPath(pathname)) throw new ServiceError('not_found');
    const allowed = allowedMethods(pathname);
    if (allowed.length === 0) throw new ServiceError('not_found');
    const Allow = [...allowed, 'OPTIONS'].join(', ');
    if (context.method === 'OPTIONS') {
      context.set({ Allow, 'Access-Control-Allow-Methods': Allow, 'Access-Control-Max-Age': '86400' });
      context.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, Range, If-None-Match');
      context.status = 204;
      return;
    }
    if (!allowed.includes(context.method))
      throw new ServiceError('method_not_allowed', { headers: { Allow } });
    await next();
  };
}

/** Two Hosts are two readings of one request (RFC 9112 section 3.2). */
function requireOneHost({ rawHeaders }: IncomingMessage): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length === 1) return;
  throw new ServiceError('invalid_request', { message: 'Send exactly one Host header.' });
}

/** The end of the line for one declared route. */
export function endpoint(route: Route, { walker, clientAddress }: Pipeline): Middleware {
  return async (context: Context) => {
    context.state.route = route;
    const gone = new AbortController();
    context.res.once('close', () => gone.abort());
    const reply = await walk(
      route,
      {
        request: context.req,
        rawQuery: splitTarget(context.req.url ?? '').rawQuery,
        segments: context.params as Record<string, string>,
        clientAddress: clientAddress(context),
        signal: gone.signal,
      },
      walker,
    );
    writeReply(context, reply, route);
  };
}

function writeReply(context: Context, reply: Reply, route: Route): void {
  context.status = reply.status;
  context.set({ 'Cache-Control': route.policy ? 'no-store' : 'no-cache', ...reply.headers });
  if (reply.status === 200 && isKnown(context, reply.headers?.ETag)) {
    context.status = 304;
    context.body = null;
    return;
  }
  if (reply.json !== undefined) context.type = 'application/json; charset=utf-8';
  if (reply.headers?.['Content-Type']) context.type = reply.headers['Content-Type'];
  if (reply.stream) context.body = Readable.from(reply.stream, { objectMode: false });
  else context.body = reply.bytes === undefined ? JSON.stringify(reply.json) : asBuffer(reply.bytes);
}

function isKnown(context: Context, etag: string | undefined): boolean {
  const known = context.get('If-None-Match');
  if (!etag || known === '') return false;
  return known === '*' || known.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

function writeError(context: Context, error: unknown, log: Logger): void {
  const refusal =
    error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error });
  const { code, status, details } = refusal;
  if (status >= 500) log.error({ err: refusal, code }, 'refused');
  context.status = status;
  context.set({ 'Cache-Control': 'no-store', ...details.headers });
  if (details.retryAfterSeconds !== undefined) {
    context.set('Retry-After', String(Math.max(1, Math.ceil(details.retryAfterSeconds))));
  }
  if (status === 401) context.set('WWW-Authenticate', 'Service-Approval');
  // A body that was not read to its end cannot be followed by another request on this connection.
  if (!context.req.complete) context.set('Connection', 'close');
  context.type = 'application/json; charset=utf-8';
  context.body = JSON.stringify({ error: errorObject(code, details) });
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
