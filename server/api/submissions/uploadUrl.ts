// POST …/submissions/{solver_address}/artifact-upload-url: a one-time URL for one ciphertext, and the locator that the
// client must have derived itself.

import { largestCiphertextBytes } from '../../adapters/packageLimit.ts';
import type { Services } from '../../adapters/services.ts';
import type { IssuedUpload, UploadPurpose } from '../../adapters/state/uploads.ts';
import { solverInPath } from '../../auth/policies/solverInPath.ts';
import { jsonBody } from '../../http/jsonBody.ts';
import { address, bountyId } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { ciphertextLocator } from '../../protocol/address.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { byteLength, sha256Digest } from '../../protocol/schemas.ts';
import { requireOpenForSubmissions } from './openBounty.ts';

interface UploadRequest {
  readonly ciphertext_sha256: string;
  readonly ciphertext_byte_length: number;
}

const BODY = {
  type: 'object',
  properties: { ciphertext_sha256: sha256Digest, ciphertext_byte_length: byteLength },
  required: ['ciphertext_sha256', 'ciphertext_byte_length'],
  additionalProperties: false,
};

/** The route. */
export const uploadUrl = route({
  method: 'POST',
  route: '/api/bounties/{bounty_id}/submissions/{solver_address}/artifact-upload-url',
  operationId: 'requestArtifactUpload',
  tag: 'Submissions',
  summary: 'Request a one-time URL to upload a sealed package.',
  path: { bounty_id: bountyId(), solver_address: address('The Solver, who signs.') },
  query: {},
  invalid: 'invalid_solver_submission',
  body: jsonBody<UploadRequest>(BODY),
  policy: solverInPath,
  limited: true,
  success: {
    200: {
      description: 'Where to send the bytes.',
      contentType: 'application/json',
      schema: {
        type: 'object',
        properties: {
          storage_locator: { type: 'string' },
          upload: {
            type: 'object',
            properties: {
              method: { const: 'PUT' },
              url: { type: 'string' },
              headers: { type: 'object' },
              expires_at: { type: 'integer' },
            },
            required: ['method', 'url', 'headers', 'expires_at'],
            additionalProperties: false,
          },
        },
        required: ['storage_locator', 'upload'],
        additionalProperties: false,
      },
    },
  },
  errors: ['bounty_not_found', 'storage_unavailable'],
  async handle({ path, body, facts, clientAddress }, services) {
    requireOpenForSubmissions(facts, services);
    await requireWithinLimit(body.ciphertext_byte_length, () =>
      largestCiphertextBytes(services.documents, facts.bounty.specCommitment),
    );
    const locator = ciphertextLocator(body.ciphertext_sha256);
    const { token, expiresAt } = await issue(services, {
      bountyId: path.bounty_id,
      solver: path.solver_address,
      locator,
      ciphertextSha256: body.ciphertext_sha256,
      byteLength: body.ciphertext_byte_length,
      clientAddress,
    });
    const url = `${services.config.publicUrl}/api/uploads/${token}`;
    const headers = { 'Content-Type': 'application/octet-stream' };
    return {
      status: 200,
      json: { storage_locator: locator, upload: { method: 'PUT', url, headers, expires_at: expiresAt } },
    };
  },
});

/** Issue a URL; at the bound, look first which of the Solver's packages the chain names by now. */
async function issue({ uploads, sweep }: Services, purpose: UploadPurpose): Promise<IssuedUpload> {
  try {
    return await uploads.issue(purpose);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'rate_limited')) throw error;
    await sweep.nameRecorded(purpose.solver);
    return uploads.issue(purpose);
  }
}

async function requireWithinLimit(bytes: number, limit: () => Promise<number>): Promise<void> {
  const largest = await limit();
  if (bytes > 0 && bytes <= largest) return;
  const message = `The ciphertext must have 1 to ${largest} bytes for this bounty.`;
  throw new ServiceError('invalid_solver_submission', {
    issues: [{ path: '/ciphertext_byte_length', message }],
  });
}
