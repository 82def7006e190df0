// How many bytes an age file has beyond its plaintext (age-encryption.org/v1): header, nonce, a tag for each chunk.

const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 16;

/** The largest header that is accepted. */
export const MAX_AGE_HEADER_BYTES = 4 * 1024;

/** The most bytes that the age file of a plaintext may have. */
export function ciphertextBytesFor(plaintextBytes: number): number {
  const chunks = Math.max(1, Math.ceil(plaintextBytes / CHUNK_BYTES));
  return MAX_AGE_HEADER_BYTES + NONCE_BYTES + plaintextBytes + chunks * TAG_BYTES;
}
