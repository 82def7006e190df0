// What the text surfaces of the documentation have in common: public, made once, cached by ETag.

import { createHash } from 'node:crypto';
import { type Reply, type Route, route } from '../../http/route.ts';
import { docsAddress } from './docsAddress.ts';

interface TextSurface {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly contentType: 'text/plain' | 'text/markdown';
  /** The text, for a documentation base address. */
  readonly render: (base: string) => string;
}

/** A text with its caching headers. */
export function textReply(text: string, contentType: string): Reply {
  const bytes = new TextEncoder().encode(text);
  const ETag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  const headers = {
    ETag,
    'Content-Type': `${contentType}; charset=utf-8`,
    'Cache-Control': 'public, max-age=300',
  };
  return { status: 200, bytes, headers };
}

/** A route that serves one text. */
export function textRoute({ path, operationId, summary, contentType, render }: TextSurface): Route {
  const rendered = new Map<string, Reply>();
  return route({
    method: 'GET',
    route: path,
    operationId,
    tag: 'Documentation',
    summary,
    path: {},
    query: {},
    invalid: 'invalid_request',
    body: { kind: 'none' },
    limited: false,
    success: { 200: { description: 'The text.', contentType, headers: { ETag: 'Names these bytes.' } } },
    errors: [],
    async handle(_call, { config }) {
      const base = docsAddress(config);
      const reply = rendered.get(base) ?? textReply(render(base), contentType);
      rendered.set(base, reply);
      return reply;
    },
  });
}
