// Public documents (challenges, written Verdicts): one raw block under the keccak-256 CID of the commitment, pinned, so
// that anybody who knows the commitment finds it in IPFS, graph-node included.

import { commitmentCid } from '../../protocol/address.ts';
import { commitmentOf } from '../../protocol/commitment.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { ByteStore } from '../byteStore.ts';
import { readCommitted } from './boundedBytes.ts';
import { type Kubo, storageFailure } from './kubo.ts';

/** The part of the store for public documents. */
export function documentStore(kubo: Kubo): Pick<ByteStore, 'putDocument' | 'getDocument'> {
  return {
    async putDocument(bytes) {
      if (bytes.length > LIMITS.documentBytes) throw new ServiceError('payload_too_large');
      const commitment = commitmentOf(bytes);
      const expected = commitmentCid(commitment);
      const stored = await kubo.call(({ client, options }) =>
        client.block.put(bytes, {
          signal: options.signal,
          mhtype: 'keccak-256',
          pin: true,
        }),
      );
      if (!stored.equals(expected)) {
        throw storageFailure(new Error(`The node stored ${stored} where ${expected} was due.`));
      }
      return { commitment };
    },
    getDocument: (commitment) => readCommitted(kubo, commitmentCid(commitment).toString(), commitment),
  };
}
