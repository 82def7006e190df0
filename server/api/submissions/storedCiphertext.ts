// Whether the uploaded ciphertext is what the envelope says: re-read, re-hashed, and an age file with one X25519 stanza.

import { createHash } from 'node:crypto';
import type { ByteStore } from '../../adapters/byteStore.ts';
import { ageHeaderIssues } from '../../protocol/ageHeader.ts';
import { MAX_AGE_HEADER_BYTES } from '../../protocol/ageSize.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { Issue } from '../../protocol/errors.ts';

/** Everything that is wrong with the stored bytes; empty when nothing is. @throws ServiceError 503 */
export async function storedCiphertextIssues(
  { bundle, storage }: Envelope,
  byteStore: ByteStore,
): Promise<Issue[]> {
  if ((await byteStore.statCiphertext(storage.locator)) === undefined) {
    return [
      {
        path: '/storage/locator',
        message: 'Nothing is stored under this locator: upload the ciphertext first.',
      },
    ];
  }
  const hash = createHash('sha256');
  const head: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of byteStore.readCiphertext(storage.locator)) {
    hash.update(chunk);
    if (length < MAX_AGE_HEADER_BYTES) head.push(chunk.subarray(0, MAX_AGE_HEADER_BYTES - length));
    length += chunk.length;
  }
  const issues: Issue[] = [];
  if (hash.digest('hex') !== bundle.ciphertext_sha256) {
    issues.push({ path: '/bundle/ciphertext_sha256', message: 'The stored ciphertext has another digest.' });
  }
  if (length !== bundle.ciphertext_byte_length) {
    issues.push({
      path: '/bundle/ciphertext_byte_length',
      message: `The stored ciphertext has ${length} bytes.`,
    });
  }
  return [...issues, ...ageHeaderIssues(Buffer.concat(head), '/bundle/encryption')];
}
