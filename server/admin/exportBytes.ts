// All committed bytes of a deployment as one CAR file (CARv1, ipld.io): public documents under their commitment's CID, each
// envelope followed by its ciphertext in blocks of 1 MiB. Every block is named by its hash; nothing else is needed to bring
// it all back, because envelopes say themselves what they belong to.

import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CarWriter } from '@ipld/car';
import { CID } from 'multiformats/cid';
import { sha256 } from 'multiformats/hashes/sha2';
import type { ByteStore } from '../adapters/byteStore.ts';
import { commitmentCid } from '../protocol/address.ts';
import { parseEnvelope } from '../protocol/envelope.ts';
import type { Committed } from './committed.ts';

/** What went into the file. */
export interface Exported {
  readonly documents: number;
  readonly envelopes: number;
  readonly ciphertexts: number;
  readonly bytes: number;
}

const RAW = 0x55;
/** What other IPFS nodes still take as one block. */
const PART_BYTES = 1024 * 1024;

/**
 * Writes a new file; bytes that are not there now are passed over (the audit names them).
 *
 * @throws ServiceError 503 when the storage does not answer; the file system's own errors. Nothing is left then
 */
export async function exportBytes(
  byteStore: ByteStore,
  committed: Committed,
  file: string,
): Promise<Exported> {
  const documents = new Set([...committed.challenges, ...committed.reports]);
  const { writer, out } = CarWriter.create(
    [...documents].map((commitment) => commitmentCid(commitment)) as never,
  );
  const counts = { documents: 0, envelopes: 0, ciphertexts: 0, bytes: 0 };
  const put = async (cid: CID, bytes: Uint8Array): Promise<void> => {
    await writer.put({ cid: cid as never, bytes });
    counts.bytes += bytes.length;
  };
  const putRaw = async (bytes: Uint8Array): Promise<void> =>
    put(CID.createV1(RAW, await sha256.digest(bytes)), bytes);

  const fill = async (): Promise<void> => {
    for (const commitment of documents) {
      const stored = await byteStore.getDocument(commitment);
      if (stored.state !== 'found') continue;
      await put(commitmentCid(commitment), stored.bytes);
      counts.documents += 1;
    }
    for (const { bountyId, commitment } of committed.submissions) {
      const stored = await byteStore.getEnvelope(bountyId, commitment);
      const parsed = stored.state === 'found' ? parseEnvelope(stored.bytes) : undefined;
      if (stored.state !== 'found' || parsed === undefined || !('envelope' in parsed)) continue;
      const { locator } = parsed.envelope.storage;
      if ((await byteStore.statCiphertext(locator)) === undefined) continue;
      await putRaw(stored.bytes);
      counts.envelopes += 1;
      for await (const part of inParts(byteStore.readCiphertext(locator))) await putRaw(part);
      counts.ciphertexts += 1;
    }
    await writer.close();
  };

  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  try {
    const source = Readable.from(out);
    await Promise.all([
      fill().catch((error: unknown) => {
        source.destroy(error as Error);
        throw error;
      }),
      pipeline(source, target),
    ]);
    return counts;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(file, { force: true });
    throw error;
  }
}

/** The same bytes in parts of 1 MiB, the last one smaller. */
async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held = new Uint8Array(PART_BYTES);
  let length = 0;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + PART_BYTES - length);
      held.set(taken, length);
      length += taken.length;
      at += taken.length;
      if (length < PART_BYTES) continue;
      yield held;
      held = new Uint8Array(PART_BYTES);
      length = 0;
    }
  if (length > 0) yield held.subarray(0, length);
}
