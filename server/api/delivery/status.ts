// GET …/delivery/status?submission_commitment=…: whether a wrap exists for exactly this Submission; never the key, never
// which Guardian stored it.

import { bountyId, bytes32 } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';

/** The route. */
export const deliveryStatus = route({
  method: 'GET',
  route: '/api/bounties/{bounty_id}/delivery/status',
  operationId: 'getDeliveryStatus',
  tag: 'Delivery',
  summary: 'Whether a delivery key is stored for one Submission.',
  path: { bounty_id: bountyId() },
  query: { submission_commitment: bytes32('The Submission.') },
  invalid: 'invalid_winning_solution_delivery',
  body: { kind: 'none' },
  limited: true,
  success: {
    200: {
      description: 'Whether it is.',
      contentType: 'application/json',
      schema: {
        type: 'object',
        properties: { exists: { type: 'boolean' } },
        required: ['exists'],
        additionalProperties: false,
      },
    },
  },
  errors: ['service_unavailable'],
  async handle({ path, query }, { deliveryWraps }) {
    return {
      status: 200,
      json: { exists: await deliveryWraps.exists(path.bounty_id, query.submission_commitment) },
    };
  },
});
