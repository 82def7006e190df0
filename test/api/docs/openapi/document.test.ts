// The OpenAPI document: valid and clean under a public linter, complete, and what the server serves.

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import { openApiDocument } from '../../../../server/api/docs/openapi/document.ts';
import { errorsOf } from '../../../../server/api/docs/openapi/errorsOf.ts';
import { ROUTES } from '../../../../server/api/routes.ts';
import { ERRORS, type ErrorCode } from '../../../../server/protocol/errors.ts';
import { sharedServer } from '../../../localStack.ts';

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly responses: Record<
    string,
    {
      content?: {
        'application/json'?: {
          schema: { properties?: { error?: { properties: { code: { enum: string[] } } } } };
        };
      };
    }
  >;
}

type Document = {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly servers: { url: string }[];
};

describe('the OpenAPI document', () => {
  const document = openApiDocument(ROUTES, 'https://api.example.org') as Document;

  it('passes a public linter without a finding', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: 'openapi.json',
      config,
    });
    expect(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ).to.deep.equal([]);
  });

  it('has every declared route and no other, signed ones marked', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, security }]) => [
        method.toUpperCase(),
        path,
        operationId,
        security.length,
      ]),
    );
    const declared = ROUTES.map(({ method, route, operationId, policy }) => [
      method,
      route,
      operationId,
      policy ? 1 : 0,
    ]);
    expect(listed).to.have.deep.members(declared);
  });

  it('has every code of a route under the status of the error table', () => {
    for (const route of ROUTES) {
      const { responses } = document.paths[route.route]![route.method.toLowerCase()]!;
      const codes: ErrorCode[] = errorsOf(route);
      for (const code of codes) {
        const schema = responses[String(ERRORS[code].status)]?.content?.['application/json']?.schema;
        expect(schema?.properties?.error?.properties.code.enum, `${route.operationId} ${code}`).to.include(
          code,
        );
      }
    }
  });

  it('is served, with the address that clients use', async function () {
    this.timeout(60_000);
    const { url } = await sharedServer();
    const response = await fetch(`${url}/openapi.json`);
    expect(response.status).to.equal(200);
    const served = (await response.json()) as Document;
    expect(served.servers).to.deep.equal([{ url }]);
    expect(served.paths).to.deep.equal(document.paths);
    const etag = response.headers.get('etag')!;
    const again = await fetch(`${url}/openapi.json`, { headers: { 'If-None-Match': etag } });
    expect(again.status).to.equal(304);
  });
});
