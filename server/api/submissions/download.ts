// GET /api/downloads/{token}: the ciphertext behind a short-lived URL, whole or by range. A whole download is hashed on
// the way and never completes when the bytes are wrong.

import { createHash } from 'node:crypto';
import { byteRange } from '../../http/byteRange.ts';
import { text } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { locatorCiphertextSha256 } from '../../protocol/address.ts';
import { ServiceError } from '../../protocol/errors.ts';

/** The route. */
export const download = route({
  method: 'GET',
  route: '/api/downloads/{token}',
  operationId: 'downloadArtifact',
  tag: 'Submissions',
  summary: 'Download a ciphertext from a short-lived URL.',
  path: {
    token: text('The token of the URL.', 'the token of a URL of this service', '^[A-Za-z0-9_.-]+$', 512),
  },
  query: {},
  invalid: 'invalid_solver_submission',
  body: { kind: 'none' },
  limited: true,
  success: {
    200: { description: 'The ciphertext.', contentType: 'application/octet-stream' },
    206: {
      description: 'The range that was asked for.',
      contentType: 'application/octet-stream',
      headers: { 'Accept-Ranges': 'Always `bytes`.', 'Content-Range': 'With 206: which bytes of how many.' },
    },
  },
  errors: ['upload_url_expired', 'range_not_satisfiable', 'storage_unavailable'],
  async handle({ path, header }, { downloads, byteStore }) {
    const locator = downloads.read(path.token, Math.floor(Date.now() / 1000));
    const stored = await byteStore.statCiphertext(locator);
    if (stored === undefined) throw new ServiceError('storage_unavailable', { retryAfterSeconds: 60 });
    const { byteLength } = stored;
    const range = byteRange(header('range'), byteLength);
    const common = {
      'Content-Type': 'application/octet-stream',
      'Accept-Ranges': 'bytes',
      ETag: `"${locatorCiphertextSha256(locator)}"`,
      'Cache-Control': 'private, no-store',
    };
    if (range) {
      const { offset, length } = range;
      const headers = {
        ...common,
        'Content-Range': `bytes ${offset}-${offset + length - 1}/${byteLength}`,
        'Content-Length': String(length),
      };
      return { status: 206, headers, stream: byteStore.readCiphertext(locator, range) };
    }
    const headers = { ...common, 'Content-Length': String(byteLength) };
    return { status: 200, headers, stream: verified(byteStore.readCiphertext(locator), locator) };
  },
});

/** Holds the last chunk back until the digest of all is right. */
async function* verified(source: AsyncIterable<Uint8Array>, locator: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let held: Uint8Array | undefined;
  for await (const chunk of source) {
    hash.update(chunk);
    if (held) yield held;
    held = chunk;
  }
  if (hash.digest('hex') !== locatorCiphertextSha256(locator)) throw new ServiceError('storage_unavailable');
  if (held) yield held;
}
