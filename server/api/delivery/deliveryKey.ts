// GET /api/deployment/delivery-key: the X25519 public key that Guardians wrap content keys to.

import { route } from '../../http/route.ts';
import { HPKE_SUITE } from '../../protocol/hpke.ts';

/** The route. */
export const deliveryKey = route({
  method: 'GET',
  route: '/api/deployment/delivery-key',
  operationId: 'getDeliveryKey',
  tag: 'Delivery',
  summary: "This deployment's delivery public key.",
  path: {},
  query: {},
  invalid: 'invalid_winning_solution_delivery',
  body: { kind: 'none' },
  limited: false,
  success: {
    200: {
      description: 'The key and the HPKE suite that it is for.',
      contentType: 'application/json',
      schema: {
        type: 'object',
        properties: {
          algorithm: { const: 'X25519' },
          key_id: { type: 'string' },
          public_key: { type: 'string' },
          hpke: { type: 'object' },
        },
        required: ['algorithm', 'key_id', 'public_key', 'hpke'],
        additionalProperties: false,
      },
    },
  },
  errors: [],
  async handle(_call, { deliveryKeys }) {
    const { keyId, publicKey } = deliveryKeys.current;
    return {
      status: 200,
      json: { algorithm: 'X25519', key_id: keyId, public_key: publicKey, hpke: HPKE_SUITE },
    };
  },
});
