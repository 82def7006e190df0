// The `ciphertext` object of answers: where the bytes can be fetched for the next minutes, and what they must be.

import { ServiceError } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { ByteStore } from './byteStore.ts';
import type { DownloadTokens } from './downloadTokens.ts';

/** What the envelope says of its bundle. */
export interface BundleReference {
  readonly locator: string;
  readonly sha256: string;
  readonly byteLength: number;
}

/** The wire form of a ciphertext that can be fetched. */
export interface CiphertextObject {
  readonly url: string;
  readonly expires_at: number;
  readonly sha256: string;
  readonly byte_length: number;
  readonly dag_root: string;
}

/** Makes ciphertext objects. */
export type OfferCiphertext = (bundle: BundleReference) => Promise<CiphertextObject>;

/**
 * @param publicUrl The URL that clients use, without a trailing slash
 * @param nowSeconds Unix seconds
 */
export function ciphertextOffers(
  byteStore: ByteStore,
  tokens: DownloadTokens,
  publicUrl: string,
  nowSeconds: () => number,
): OfferCiphertext {
  return async ({ locator, sha256, byteLength }) => {
    const stored = await byteStore.statCiphertext(locator);
    if (stored === undefined) {
      throw new ServiceError('storage_unavailable', {
        message: 'The storage does not hold the ciphertext now.',
        retryAfterSeconds: 60,
      });
    }
    const expiresAt = nowSeconds() + LIMITS.downloadUrlSeconds;
    return {
      url: `${publicUrl}/api/downloads/${tokens.issue(locator, expiresAt)}`,
      expires_at: expiresAt,
      sha256,
      byte_length: byteLength,
      dag_root: stored.dagRoot,
    };
  };
}
