// Ciphertexts: UnixFS DAGs of 1 MiB raw leaves (other nodes refuse larger blocks), linked in MFS under the CID of their
// SHA-256 once digest and length were right. The name is derived from the digest; the DAG has a root of its own.

import { ciphertextCid, ciphertextLocator, locatorCiphertextSha256 } from '../../protocol/address.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { addFile } from './addFile.ts';
import type { Gate } from './gate.ts';
import { type Kubo, storageFailure } from './kubo.ts';
import { link, linkAt, linksIn, unlink } from './mfsLink.ts';
import { spooled } from './spool.ts';
import type { ByteRange, ExpectedCiphertext, StoredCiphertext } from './stored.ts';

const FOLDER = '/ciphertexts';
const LOCATOR_SCHEME = 'ipfs://';
/** Kubo may be silent while it stores 50 MiB on a busy disk. */
const ADD_SILENCE_MS = 60_000;

/** The part of the store for ciphertexts. A locator is `ipfs://` and the CID of a SHA-256. */
export interface CiphertextStore {
  /**
   * Takes a ciphertext whole or not at all: digest and length are checked on the way, and nothing is kept otherwise.
   *
   * @throws ServiceError 400 `invalid_solver_submission` for other bytes, 413 `payload_too_large` at the first byte too
   *   many; what the source throws and the signal's reason pass through
   */
  putCiphertext(
    locator: string,
    source: AsyncIterable<Uint8Array>,
    expected: ExpectedCiphertext,
    signal?: AbortSignal,
  ): Promise<{ readonly dagRoot: string }>;
  /** Undefined when nothing is linked under the locator, or the text is no ciphertext's locator. */
  statCiphertext(locator: string): Promise<StoredCiphertext | undefined>;
  /** The bytes as stored, not hashed; fails, rather than ends early, when they do not come whole. */
  readCiphertext(locator: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Unlinks; true when there was one. The space comes back with garbage collection. */
  removeCiphertext(locator: string): Promise<boolean>;
  listCiphertexts(): AsyncIterable<StoredCiphertext & { readonly locator: string }>;
}

/** Ciphertexts over a connection; writes hold the gate shared. */
export function ciphertextStore(kubo: Kubo, gate: Gate, spoolFolder?: string): CiphertextStore {
  const statCiphertext: CiphertextStore['statCiphertext'] = async (locator) => {
    const path = pathOf(locator);
    const linked = path === undefined ? undefined : await linkAt(kubo, path);
    return linked && { dagRoot: linked.dagRoot, byteLength: linked.byteLength };
  };

  const store = async (
    path: string,
    content: AsyncIterable<Uint8Array>,
    byteLength: number,
  ): Promise<string> => {
    const cid = await kubo.call(
      ({ options, heard }) => addFile(kubo.endpoint, content, byteLength, options.signal, heard),
      ADD_SILENCE_MS,
    );
    await link(kubo, path, cid);
    // Another process may have collected garbage before the link stood: only a complete DAG counts as stored.
    const linked = await linkAt(kubo, path, true);
    if (linked?.complete && linked.byteLength === byteLength && linked.dagRoot === cid.toString())
      return linked.dagRoot;
    await unlink(kubo, path);
    throw storageFailure(new Error(`The DAG ${cid} was not stored whole.`));
  };

  return {
    statCiphertext,
    async putCiphertext(locator, source, expected, signal) {
      if (ciphertextLocator(expected.sha256) !== locator) {
        throw new TypeError('The locator does not name the expected digest.');
      }
      const path = `${FOLDER}/${ciphertextCid(expected.sha256)}`;
      const dagRoot = await spooled(source, expected, signal, spoolFolder, (read) =>
        gate.shared(() => store(path, read(), expected.byteLength)),
      );
      return { dagRoot };
    },
    async *readCiphertext(locator, range) {
      const stored = await statCiphertext(locator);
      if (stored === undefined) throw new ServiceError('storage_unavailable', { retryAfterSeconds: 60 });
      yield* readWhole(kubo, stored.dagRoot, range ?? { offset: 0, length: stored.byteLength });
    },
    async removeCiphertext(locator) {
      const path = pathOf(locator);
      return path !== undefined && unlink(kubo, path);
    },
    async *listCiphertexts() {
      for await (const { name, dagRoot, byteLength } of linksIn(kubo, FOLDER)) {
        const locator = LOCATOR_SCHEME + name;
        if (pathOf(locator) !== undefined) yield { locator, dagRoot, byteLength };
      }
    },
  };
}

function pathOf(locator: string): string | undefined {
  const sha256 = locatorCiphertextSha256(locator);
  return sha256 === undefined ? undefined : `${FOLDER}/${ciphertextCid(sha256)}`;
}

/** Kubo ends a stream that failed half-way like a whole one (the failure is in a trailer), so the bytes are counted. */
async function* readWhole(
  kubo: Kubo,
  dagRoot: string,
  { offset, length }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  for await (const chunk of kubo.stream(({ client, options }) =>
    client.cat(dagRoot, { ...options, offset, length }),
  )) {
    received += chunk.length;
    if (received > length) break;
    yield chunk;
  }
  if (received !== length) {
    throw storageFailure(new Error(`The node sent ${received} of ${length} bytes of ${dagRoot}.`));
  }
}
