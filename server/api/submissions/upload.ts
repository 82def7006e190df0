// PUT /api/uploads/{token}: the bytes of one sealed package, once. Digest and length are checked on the way; on a
// mismatch or an abort nothing is kept, and a fresh URL is needed.

import { paced } from '../../http/paced.ts';
import { text } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { ServiceError } from '../../protocol/errors.ts';

/** The route. */
export const upload = route({
  method: 'PUT',
  route: '/api/uploads/{token}',
  operationId: 'uploadArtifact',
  tag: 'Submissions',
  summary: 'Upload a sealed package to a one-time URL.',
  path: { token: text('The token of the URL.', '43 characters of base64url', '^[A-Za-z0-9_-]{43}$', 43) },
  query: {},
  invalid: 'invalid_solver_submission',
  body: { kind: 'stream', contentType: 'application/octet-stream' },
  limited: true,
  success: {
    201: {
      description: 'The bytes are stored.',
      contentType: 'application/json',
      schema: {
        type: 'object',
        properties: {
          storage_locator: { type: 'string' },
          ciphertext_sha256: { type: 'string' },
          ciphertext_byte_length: { type: 'integer' },
          dag_root: { type: 'string' },
          retained_until: { type: 'integer' },
        },
        required: [
          'storage_locator',
          'ciphertext_sha256',
          'ciphertext_byte_length',
          'dag_root',
          'retained_until',
        ],
        additionalProperties: false,
      },
    },
  },
  errors: [
    'upload_url_spent',
    'upload_url_expired',
    'payload_too_large',
    'request_timeout',
    'storage_unavailable',
  ],
  async handle({ path, stream, header, signal }, { uploads, byteStore, config }) {
    const purpose = await uploads.spend(path.token);
    const { locator, ciphertextSha256, byteLength } = purpose;
    requireDeclaredLength(header('content-length'), byteLength);
    const { dagRoot } = await byteStore.putCiphertext(
      locator,
      paced(stream, config.uploads.minimumBytesPerSecond),
      { sha256: ciphertextSha256, byteLength },
      signal,
    );
    const retainedUntil = await uploads.recordPackage(purpose, dagRoot);
    return {
      status: 201,
      json: {
        storage_locator: locator,
        ciphertext_sha256: ciphertextSha256,
        ciphertext_byte_length: byteLength,
        dag_root: dagRoot,
        retained_until: retainedUntil,
      },
    };
  },
});

function requireDeclaredLength(declared: string | undefined, byteLength: number): void {
  if (declared === undefined || Number(declared) === byteLength) return;
  if (Number(declared) > byteLength) {
    throw new ServiceError('payload_too_large', { message: `This URL takes exactly ${byteLength} bytes.` });
  }
  const message = `This URL takes exactly ${byteLength} bytes, the request announces ${declared}.`;
  throw new ServiceError('invalid_solver_submission', { issues: [{ path: 'content-length', message }] });
}
