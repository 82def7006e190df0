// A package encrypted to its content key as it streams (age-encryption.org/v1, one X25519 recipient), with the digest that
// names the ciphertext. Memory stays flat: one chunk at a time. Must never keep or print the key.

import { Encrypter, identityToRecipient } from 'age-encryption';
import { createSHA256 } from 'hash-wasm';
import { ageIdentity } from '../protocol/ageIdentity.ts';
import type { SealedSink } from './sealedSink.ts';
import type { Progress } from './transfer.ts';

/** A ciphertext and what names it. */
export interface EncryptedPackage {
  readonly ciphertext: Blob;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly byteLength: number;
}

/** How a package is encrypted. */
export interface EncryptOptions {
  readonly sink: SealedSink;
  /** Hears how many bytes of the package are done. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Encrypts it; whatever fails, nothing is left in the sink. */
export async function encryptPackage(
  plaintext: Blob,
  contentKey: Uint8Array,
  { sink, onProgress, signal }: EncryptOptions,
): Promise<EncryptedPackage> {
  try {
    const hash = await createSHA256();
    hash.init();
    const encrypter = new Encrypter();
    encrypter.addRecipient(await identityToRecipient(ageIdentity(contentKey)));
    let read = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        read += chunk.length;
        onProgress?.({ done: read, total: plaintext.size });
        controller.enqueue(chunk);
      },
    });
    const source = plaintext.stream().pipeThrough(counted);
    const reader = (await encrypter.encrypt(source)).getReader();
    let byteLength = 0;
    try {
      for (;;) {
        signal?.throwIfAborted();
        const { done, value } = await reader.read();
        if (done) break;
        hash.update(value);
        byteLength += value.length;
        await sink.write(value);
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
    return { ciphertext: await sink.finish(), sha256: hash.digest('hex'), byteLength };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}
