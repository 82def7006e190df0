// Storing a written Verdict: the exact bytes are put, pinned and read back each time, so that publishing again restores
// what the storage lost. Of requests that race in one process, one has stored it and the others find it there.

import type { Hex } from 'viem';
import type { Services } from '../../adapters/services.ts';
import { ServiceError } from '../../protocol/errors.ts';

type Storage = Pick<Services, 'byteStore' | 'metrics'>;

const underWay = new Map<Hex, Promise<boolean>>();

/**
 * Store a document.
 *
 * @param commitment What the bytes are known to hash to
 * @returns Whether the storage held it before
 * @throws ServiceError 503 `storage_unavailable` unless the bytes can be read back
 */
export async function storeWrittenVerdict(
  bytes: Uint8Array,
  commitment: Hex,
  storage: Storage,
): Promise<boolean> {
  const started = underWay.get(commitment);
  if (started !== undefined) {
    await started;
    return true;
  }
  const work = store(bytes, commitment, storage).finally(() => underWay.delete(commitment));
  underWay.set(commitment, work);
  return work;
}

async function store(bytes: Uint8Array, commitment: Hex, { byteStore, metrics }: Storage): Promise<boolean> {
  const before = await byteStore.getDocument(commitment);
  await byteStore.putDocument(bytes);
  const { state } = await byteStore.getDocument(commitment);
  if (state === 'mismatch') metrics.storageMismatches.inc();
  if (state !== 'found') throw new ServiceError('storage_unavailable', { retryAfterSeconds: 5 });
  return before.state === 'found';
}
