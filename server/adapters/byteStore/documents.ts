// Public documents (challenges, written Verdicts): one raw block under the keccak-256 CID of the commitment, pinned, so
// that anybody who knows the commitment finds it in IPFS, graph-node included.

import type { Hex } from 'viem';
import { commitmentCid } from '../../protocol/address.ts';
import { commitmentOf } from '../../protocol/commitment.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { readCommitted } from './boundedBytes.ts';
import { type Kubo, storageFailure } from './kubo.ts';
import type { Stored } from './stored.ts';

/** The part of the store for public documents. */
export interface DocumentStore {
  /**
   * Stores and pins a public document of at most 256 KiB under its commitment; the same again is no error.
   *
   * @throws ServiceError 413 `payload_too_large`
   */
  putDocument(bytes: Uint8Array): Promise<{ readonly commitment: Hex }>;
  getDocument(commitment: Hex): Promise<Stored>;
}

/** Documents over a connection. */
export function documentStore(kubo: Kubo): DocumentStore {
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
