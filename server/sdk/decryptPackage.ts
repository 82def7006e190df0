// A sealed package opened with its content key, as it streams in (age-encryption.org/v1). age authenticates every chunk
// before it is handed on, and a file that is cut off fails. Must never keep or print the key.

import { Decrypter } from 'age-encryption';
import { ageIdentity } from '../protocol/ageIdentity.ts';
import { UntrustedAnswerError } from './untrustedAnswer.ts';

/**
 * The package's bytes as they come.
 *
 * @param contentKey 32 bytes; zeroed when the stream ends, however it ends
 * @throws UntrustedAnswerError for a key that does not open the ciphertext or bytes that were changed; what the source
 *   throws passes through
 */
export async function* decryptPackage(
  ciphertext: AsyncIterable<Uint8Array>,
  contentKey: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let failure: { readonly of: unknown } | undefined;
  const source = ciphertext[Symbol.asyncIterator]();
  const pulled = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await source.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        failure = { of: error };
        controller.error(error);
      }
    },
    async cancel() {
      await source.return?.();
    },
  });
  const decrypter = new Decrypter();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  try {
    decrypter.addIdentity(ageIdentity(contentKey));
    reader = (await decrypter.decrypt(pulled)).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (failure !== undefined) throw failure.of;
    const message = error instanceof Error ? error.message : 'age refuses it.';
    throw new UntrustedAnswerError('The ciphertext cannot be opened.', [{ path: 'ciphertext', message }]);
  } finally {
    contentKey.fill(0);
    await reader?.cancel().catch(() => {});
  }
}
