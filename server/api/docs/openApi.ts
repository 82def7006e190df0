// GET /openapi.json: the interface of this very process, itself included.

import { createHash } from 'node:crypto';
import { type Route, route } from '../../http/route.ts';
import { openApiDocument } from './openapi/document.ts';

/** The route that serves the document of these routes and of itself. */
export function openApiRoute(declared: readonly Route[]): Route {
  const rendered = new Map<string, { bytes: Uint8Array; etag: string }>();
  const render = (serverUrl: string) => {
    const bytes = new TextEncoder().encode(JSON.stringify(openApiDocument([...declared, self], serverUrl)));
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex')}"` };
  };
  const self: Route = route({
    method: 'GET',
    route: '/openapi.json',
    operationId: 'getOpenApiDocument',
    tag: 'Documentation',
    summary: 'This interface as OpenAPI 3.1.',
    path: {},
    query: {},
    invalid: 'invalid_request',
    body: { kind: 'none' },
    limited: false,
    success: {
      200: {
        description: 'The document.',
        contentType: 'application/json',
        schema: { type: 'object' },
        headers: { ETag: 'Names these bytes.' },
      },
    },
    errors: [],
    async handle(_call, { config }) {
      const { bytes, etag } = rendered.get(config.publicUrl) ?? render(config.publicUrl);
      rendered.set(config.publicUrl, { bytes, etag });
      const type = 'application/json; charset=utf-8';
      return {
        status: 200,
        bytes,
        headers: { ETag: etag, 'Content-Type': type, 'Cache-Control': 'public, max-age=300' },
      };
    },
  });
  return self;
}
