// The sealed envelope of a Submission as it was stored when it was prepared, believed only because it hashes.

import type { Hex } from 'viem';
import { type Envelope, parseEnvelope } from '../protocol/envelope.ts';
import { ServiceError } from '../protocol/errors.ts';
import type { ByteStore } from './byteStore.ts';
import type { Logger } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Uploads } from './state/uploads.ts';

/** An envelope with its exact canonical text. */
export interface StoredEnvelope {
  readonly text: string;
  readonly envelope: Envelope;
}

/** What reading needs. */
export interface EnvelopeSources {
  readonly byteStore: ByteStore;
  readonly uploads: Uploads;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/**
 * The envelope of a commitment in a bounty, undefined when none was ever prepared here: anyone can record a commitment
 * on chain without having anything behind it.
 *
 * @throws ServiceError 500 `solver_submission_content_invalid`; 503 while the bytes are gone or the storage is away
 */
export async function readStoredEnvelope(
  { byteStore, uploads, metrics, log }: EnvelopeSources,
  bountyId: string,
  commitment: Hex,
): Promise<StoredEnvelope | undefined> {
  const stored = await byteStore.getEnvelope(bountyId, commitment);
  if (stored.state === 'missing') {
    if (!(await uploads.wasPrepared(bountyId, commitment))) return undefined;
    const message = 'The storage does not hold the envelope of this Submission now.';
    throw new ServiceError('storage_unavailable', { message, retryAfterSeconds: 60 });
  }
  const parsed = stored.state === 'found' ? parseEnvelope(stored.bytes) : undefined;
  if (stored.state === 'found' && parsed && 'envelope' in parsed) {
    return { text: new TextDecoder().decode(stored.bytes), envelope: parsed.envelope };
  }
  metrics.storageMismatches.inc();
  log.error({ bounty: bountyId, commitment }, 'the stored envelope does not hash to its commitment');
  throw new ServiceError('solver_submission_content_invalid');
}
