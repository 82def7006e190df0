// GET /healthz: the process is up. It says nothing of the neighbours: that is /readyz.

import { route } from '../../http/route.ts';

/** Liveness. */
export const healthz = route({
  method: 'GET',
  route: '/healthz',
  operationId: 'getHealth',
  tag: 'Operations',
  summary: 'Whether the process is up.',
  path: {},
  query: {},
  invalid: 'invalid_request',
  body: { kind: 'none' },
  limited: false,
  success: {
    200: {
      description: 'It is.',
      contentType: 'application/json',
      schema: { type: 'object', properties: { status: { const: 'up' } }, required: ['status'] },
    },
  },
  errors: [],
  async handle() {
    return { status: 200, json: { status: 'up' } };
  },
});
