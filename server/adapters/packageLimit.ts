// How large a ciphertext of one bounty may be: the service's own limit, or the challenge's where that is smaller.

import type { Hex } from 'viem';
import { ciphertextBytesFor } from '../protocol/ageSize.ts';
import { parseChallenge } from '../protocol/challenge.ts';
import { ServiceError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { DocumentReader } from './documentReader.ts';

/**
 * The largest ciphertext in bytes, encryption's own overhead included.
 *
 * @throws ServiceError 503 `storage_unavailable` while the storage cannot say whether the challenge sets a limit
 */
export async function largestCiphertextBytes(
  documents: DocumentReader,
  specCommitment: Hex,
): Promise<number> {
  const document = await documents.read(specCommitment);
  if (document.state === 'unavailable')
    throw new ServiceError('storage_unavailable', { retryAfterSeconds: 5 });
  const parsed = document.state === 'found' ? parseChallenge(document.bytes) : undefined;
  const stated = parsed && 'challenge' in parsed ? parsed.challenge.limits?.packedBytes : undefined;
  return ciphertextBytesFor(Math.min(LIMITS.packedBytes, stated ?? LIMITS.packedBytes));
}
