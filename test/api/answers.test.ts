// Every answer that the service has given in a run of its routes fits the schema that its route declares.

import { Ajv } from 'ajv';
import { expect } from 'chai';
import { ROUTES } from '../../server/api/routes.ts';
import { ERRORS } from '../../server/protocol/errors.ts';
import { sharedServer } from '../localStack.ts';
import { get } from './bounties/bountyAnswers.ts';

const ajv = new Ajv({ strict: true, allowUnionTypes: true });

describe('declared routes', () => {
  it('have schemas that compile, codes that exist and names of their own', () => {
    const names = ROUTES.map(({ operationId }) => operationId);
    expect(new Set(names).size).to.equal(names.length);
    for (const { success, errors, invalid, method, path, route } of ROUTES) {
      for (const { schema } of Object.values(success)) if (schema) ajv.compile(schema);
      for (const code of [...errors, invalid]) expect(ERRORS, route).to.have.property(code);
      const named = [...route.matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name);
      expect(Object.keys(path), `${method} ${route}`).to.have.members(named);
    }
  });

  for (const path of [
    '/api/bounties',
    '/api/bounties?limit=1',
    '/api/deployment',
    '/api/deployment/delivery-key',
    '/healthz',
    '/readyz',
  ]) {
    it(`answer ${path} as declared`, async function () {
      this.timeout(60_000);
      const server = await sharedServer();
      const { status, body } = await get(server.url, path);
      const { success } = ROUTES.find(({ route }) => route === path.split('?')[0])!;
      const accepts = ajv.compile(success[status]!.schema!);
      expect(accepts(body), JSON.stringify(accepts.errors)).to.equal(true);
    });
  }
});
