// GET /api/written-verdicts/{report_commitment}: the exact bytes, so that anyone confirms them against the chain. Only
// bytes that are a written Verdict are served: no commitment of anything else opens this door.

import { bytes32 } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { parseWrittenVerdict } from '../../protocol/writtenVerdict.ts';

/** The route. */
export const readWrittenVerdict = route({
  method: 'GET',
  route: '/api/written-verdicts/{report_commitment}',
  operationId: 'getWrittenVerdict',
  tag: 'Written Verdicts',
  summary: 'Read a written Verdict by its commitment.',
  path: { report_commitment: bytes32('keccak256 of the exact bytes of the document.') },
  query: {},
  invalid: 'invalid_written_verdict',
  body: { kind: 'none' },
  limited: false,
  success: {
    200: {
      description: 'The exact bytes.',
      contentType: 'text/markdown',
      headers: { ETag: 'Names these bytes; send it as If-None-Match.' },
    },
  },
  errors: ['written_verdict_not_found', 'storage_unavailable', 'rate_limited'],
  async handle({ path, charge }, { documents, metrics }) {
    const commitment = path.report_commitment;
    const document = await documents.read(commitment, charge);
    switch (document.state) {
      case 'found':
        if (!isWrittenVerdict(document.bytes)) throw new ServiceError('written_verdict_not_found');
        return {
          status: 200,
          bytes: document.bytes,
          headers: {
            'Content-Type': 'text/markdown; charset=utf-8',
            ETag: `"${commitment}"`,
            'Cache-Control': 'public, max-age=31536000, immutable',
          },
        };
      case 'missing':
        throw new ServiceError('written_verdict_not_found');
      case 'mismatch':
        metrics.storageMismatches.inc();
        throw new ServiceError('storage_unavailable', { retryAfterSeconds: 60 });
      case 'unavailable':
        throw new ServiceError('storage_unavailable', { retryAfterSeconds: 5 });
    }
  },
});

/** What verified bytes are never changes, and reading a long document takes a tenth of a second. */
const known = new WeakMap<Uint8Array, boolean>();

function isWrittenVerdict(bytes: Uint8Array): boolean {
  const before = known.get(bytes);
  if (before !== undefined) return before;
  const is = 'verdict' in parseWrittenVerdict(bytes);
  known.set(bytes, is);
  return is;
}
