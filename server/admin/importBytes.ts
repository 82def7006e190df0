// A CAR file of exportBytes.ts into a store, an empty one as a rule. Every byte is hashed by the store as if a stranger had
// sent it: a file that was changed brings nothing wrong in.

import { createReadStream } from 'node:fs';
import { CarBlockIterator } from '@ipld/car';
import type { ByteStore } from '../adapters/byteStore.ts';
import { commitmentOf } from '../protocol/commitment.ts';
import { type Envelope, parseEnvelope } from '../protocol/envelope.ts';
import type { Exported } from './exportBytes.ts';

const KECCAK_256 = 0x1b;

/** A file that is no export, or was changed or cut off. */
export class ImportError extends Error {}

interface Block {
  readonly cid: { readonly multihash: { readonly code: number }; toString(): string };
  readonly bytes: Uint8Array;
}

/** Brings everything back. @throws ImportError; ServiceError 503 when the storage does not answer */
export async function importBytes(byteStore: ByteStore, file: string): Promise<Exported> {
  const counts = { documents: 0, envelopes: 0, ciphertexts: 0, bytes: 0 };
  const blocks = (
    await CarBlockIterator.fromIterable(createReadStream(file)).catch((cause: unknown) => {
      throw new ImportError(`${file} is no CAR file.`, { cause });
    })
  )[Symbol.asyncIterator]() as AsyncIterator<Block>;
  const next = async (): Promise<Block | undefined> => {
    const { done, value } = await blocks.next().catch((cause: unknown) => {
      throw new ImportError(`${file} is cut off.`, { cause });
    });
    if (!done) counts.bytes += value.bytes.length;
    return done ? undefined : value;
  };
  for (let block = await next(); block !== undefined; block = await next()) {
    if (block.cid.multihash.code === KECCAK_256) {
      await byteStore.putDocument(block.bytes);
      counts.documents += 1;
      continue;
    }
    const envelope = envelopeOf(block, file);
    await putCiphertext(byteStore, envelope, next, file);
    await byteStore.putEnvelope(envelope.context.bounty_id, commitmentOf(block.bytes), block.bytes);
    counts.envelopes += 1;
    counts.ciphertexts += 1;
  }
  return counts;
}

function envelopeOf({ bytes, cid }: Block, file: string): Envelope {
  const parsed = parseEnvelope(bytes);
  if ('envelope' in parsed) return parsed.envelope;
  throw new ImportError(`${file}: the block ${cid} is neither a document nor an envelope.`);
}

async function putCiphertext(
  byteStore: ByteStore,
  { bundle, storage }: Envelope,
  next: () => Promise<Block | undefined>,
  file: string,
): Promise<void> {
  const { ciphertext_sha256: sha256, ciphertext_byte_length: byteLength } = bundle;
  const parts = (async function* () {
    for (let left = byteLength; left > 0; ) {
      const part = await next();
      if (part === undefined) throw new ImportError(`${file} is cut off in a ciphertext.`);
      left -= part.bytes.length;
      yield part.bytes;
    }
  })();
  await byteStore.putCiphertext(storage.locator, parts, { sha256, byteLength });
}
