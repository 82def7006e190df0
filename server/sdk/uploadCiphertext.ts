// A ciphertext goes to a one-time URL (specification section 4). The locator is derived here and compared before a byte is
// sent; what breaks on the way is sent again to a fresh URL, because the old one is spent.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { getAddress } from 'viem';
import { ciphertextLocator } from '../protocol/address.ts';
import { type UploadReceipt, uploadOffer, uploadReceipt } from './answers/submission.ts';
import { ApiError, apiErrorOf } from './apiError.ts';
import type { Connection } from './connection.ts';
import { sleep, startWaiting } from './patience.ts';
import { putBlob } from './putBlob.ts';
import { readJson } from './readAnswer.ts';
import { MAX_BREAKS, type TransferOptions } from './transfer.ts';
import { contradictions } from './untrustedAnswer.ts';

/** A sealed package: bytes, or a file that is read as it is sent. */
export type Ciphertext = Uint8Array<ArrayBuffer> | Blob;

/** Failures after which a fresh URL may bring the bytes home. */
const BROKEN: readonly string[] = [
  'network_failure',
  'request_timeout',
  'upload_url_spent',
  'upload_url_expired',
];

/**
 * Upload as the Solver who signs.
 *
 * @throws ApiError, and UntrustedAnswerError when the API names another locator or stored something else
 */
export async function uploadCiphertext(
  connection: Connection,
  bountyId: bigint,
  ciphertext: Ciphertext,
  options: TransferOptions = {},
): Promise<UploadReceipt> {
  const blob = ciphertext instanceof Blob ? ciphertext : new Blob([ciphertext]);
  const digest = await sha256OfBlob(blob, options.signal);
  const wait = startWaiting(options);
  for (let breaks = 0; ; ) {
    try {
      return await uploadOnce(connection, bountyId, blob, digest, options);
    } catch (error) {
      if (!(error instanceof ApiError && BROKEN.includes(error.code))) await wait(error);
      else if (breaks === MAX_BREAKS) throw error;
      else await sleep(200 * 2 ** breaks, options.signal);
      breaks += 1;
    }
  }
}

async function uploadOnce(
  connection: Connection,
  bountyId: bigint,
  blob: Blob,
  digest: string,
  options: TransferOptions,
): Promise<UploadReceipt> {
  const solver = getAddress(connection.signer().address);
  const wanted = { ciphertext_sha256: digest, ciphertext_byte_length: blob.size };
  const issued = await connection.sign(
    {
      method: 'POST',
      target: `/api/bounties/${bountyId}/submissions/${solver}/artifact-upload-url`,
      body: new TextEncoder().encode(JSON.stringify(wanted)),
      contentType: 'application/json',
    },
    options,
  );
  const { storage_locator, upload } = await readJson(issued, uploadOffer, options.signal);
  requireLocator(storage_locator, digest);
  const response = await putBlob(connection, upload.url, upload.headers, blob, options);
  if (!response.ok) throw await apiErrorOf(response);
  const receipt = await readJson(response, uploadReceipt, options.signal);
  requireLocator(receipt.storage_locator, digest);
  const check = contradictions('The API stored another ciphertext.');
  check.same('ciphertext_sha256', receipt.ciphertext_sha256, digest);
  check.same('ciphertext_byte_length', receipt.ciphertext_byte_length, blob.size);
  check.done();
  return receipt;
}

function requireLocator(given: string, digest: string): void {
  const check = contradictions('The API names another place for the ciphertext than its digest does.');
  check.same('storage_locator', given, ciphertextLocator(digest));
  check.done();
}

async function sha256OfBlob(blob: Blob, signal: AbortSignal | undefined): Promise<string> {
  const hash = sha256.create();
  const reader = blob.stream().getReader();
  for (;;) {
    signal?.throwIfAborted();
    const { done, value } = await reader.read();
    if (done) return bytesToHex(hash.digest());
    hash.update(value);
  }
}
