// A ciphertext comes from a short-lived URL, taken up again by range where it broke off, and is whole only once its digest
// is that of the envelope. The last bytes are held back until then.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { ciphertextBytesFor } from '../protocol/ageSize.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { CiphertextOffer } from './answers/submission.ts';
import { ApiError, apiErrorOf, networkFailure } from './apiError.ts';
import type { Connection } from './connection.ts';
import { sleep, startWaiting } from './patience.ts';
import { chunksOf } from './readBytes.ts';
import { MAX_BREAKS, TRANSFER_SECONDS, type TransferOptions } from './transfer.ts';
import { contradictions, UntrustedAnswerError } from './untrustedAnswer.ts';

/** The largest ciphertext that any bounty takes. */
const MAX_CIPHERTEXT_BYTES = ciphertextBytesFor(LIMITS.packedBytes);

/**
 * The bytes as they come; throws at the end, before the last of them, when the digest is wrong.
 *
 * @throws ApiError, UntrustedAnswerError for bytes that are not those of the offer
 */
export async function* streamCiphertext(
  connection: Connection,
  offer: CiphertextOffer,
  options: TransferOptions = {},
): AsyncGenerator<Uint8Array> {
  const total = offer.byte_length;
  const hash = sha256.create();
  let done = 0;
  let held: Uint8Array | undefined;
  for await (const chunk of unbroken(connection, offer, options)) {
    done += chunk.length;
    hash.update(chunk);
    options.onProgress?.({ done, total });
    if (held !== undefined) yield held;
    held = chunk;
  }
  const check = contradictions('The downloaded bytes are not the ciphertext.');
  check.same('sha256', bytesToHex(hash.digest()), offer.sha256);
  check.done();
  if (held !== undefined) yield held;
}

/** The whole ciphertext in memory. @throws As {@link streamCiphertext} */
export async function downloadCiphertext(
  connection: Connection,
  offer: CiphertextOffer,
  options: TransferOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  requireSize(offer);
  const bytes = new Uint8Array(offer.byte_length);
  let at = 0;
  for await (const chunk of streamCiphertext(connection, offer, options)) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Exactly `byte_length` bytes, over as many connections as it takes. */
async function* unbroken(
  connection: Connection,
  offer: CiphertextOffer,
  options: TransferOptions,
): AsyncGenerator<Uint8Array> {
  requireSize(offer);
  const wait = startWaiting(options);
  let done = 0;
  let breaks = 0;
  while (done < offer.byte_length) {
    let stopped: unknown;
    try {
      const response = await request(connection, offer, done, options);
      for await (const chunk of chunksOf(response)) {
        if (done + chunk.length > offer.byte_length) throw tooLong(offer);
        done += chunk.length;
        yield chunk;
      }
      stopped = networkFailure(new URL(offer.url).host, undefined);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof UntrustedAnswerError) throw error;
      stopped = error;
    }
    if (done === offer.byte_length) return;
    if (stopped instanceof ApiError && stopped.code !== 'network_failure') {
      await wait(stopped);
      continue;
    }
    if (breaks === MAX_BREAKS) throw asFailure(stopped, offer);
    await sleep(200 * 2 ** breaks, options.signal);
    breaks += 1;
  }
}

async function request(
  connection: Connection,
  { url, byte_length: length }: CiphertextOffer,
  from: number,
  { signal }: TransferOptions,
): Promise<Response> {
  const headers = from === 0 ? {} : { Range: `bytes=${from}-` };
  const response = await connection.exchange(url, { method: 'GET', headers }, TRANSFER_SECONDS, signal);
  if (!response.ok) throw await apiErrorOf(response);
  const isRest = response.headers.get('content-range') === `bytes ${from}-${length - 1}/${length}`;
  if (from === 0 ? response.status === 200 : response.status === 206 && isRest) return response;
  const message = `The server does not answer the bytes from ${from} on.`;
  throw new ApiError({ status: response.status, code: 'malformed_answer', message });
}

function requireSize({ byte_length: length }: CiphertextOffer): void {
  const check = contradictions('The API offers a ciphertext of an impossible size.');
  const message = `byte_length is ${length} and may be 1 to ${MAX_CIPHERTEXT_BYTES}.`;
  check.expect(length >= 1 && length <= MAX_CIPHERTEXT_BYTES, 'byte_length', message);
  check.done();
}

function tooLong({ byte_length: length }: CiphertextOffer): UntrustedAnswerError {
  const message = `There are more than ${length} bytes.`;
  return new UntrustedAnswerError('The downloaded bytes are not the ciphertext.', [
    { path: 'byte_length', message },
  ]);
}

function asFailure(error: unknown, { url }: CiphertextOffer): ApiError {
  return error instanceof ApiError ? error : networkFailure(new URL(url).host, error);
}
