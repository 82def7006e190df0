// Envelopes: under MFS by bounty and commitment, as sha2-256 blocks. A submission_commitment is public and grants no
// access, so the keccak-256 address that it yields must never hold the envelope.

import type { Hex } from 'viem';
import { commitmentOf } from '../../protocol/commitment.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { readCommitted } from './boundedBytes.ts';
import type { Gate } from './gate.ts';
import { type Kubo, storageFailure } from './kubo.ts';
import { link, linkAt, linksIn, unlink } from './mfsLink.ts';
import type { Stored } from './stored.ts';

const FOLDER = '/envelopes';

/** The part of the store for envelopes. Bounty ids are decimal. */
export interface EnvelopeStore {
  /** Stores an envelope, whose keccak256 must be the commitment, for one bounty; the same again is no error. */
  putEnvelope(bountyId: string, commitment: Hex, bytes: Uint8Array): Promise<void>;
  getEnvelope(bountyId: string, commitment: Hex): Promise<Stored>;
  /** Unlinks; true when there was one. */
  removeEnvelope(bountyId: string, commitment: Hex): Promise<boolean>;
  listEnvelopes(): AsyncIterable<{ readonly bountyId: string; readonly commitment: Hex }>;
}

/** Envelopes over a connection; writes hold the gate shared. */
export function envelopeStore(kubo: Kubo, gate: Gate): EnvelopeStore {
  const getEnvelope: EnvelopeStore['getEnvelope'] = async (bountyId, commitment) => {
    const linked = await linkAt(kubo, pathOf(bountyId, commitment));
    return linked === undefined ? { state: 'missing' } : readCommitted(kubo, linked.dagRoot, commitment);
  };
  return {
    getEnvelope,
    async putEnvelope(bountyId, commitment, bytes) {
      if (bytes.length > LIMITS.documentBytes) throw new ServiceError('payload_too_large');
      const path = pathOf(bountyId, commitment);
      if (commitmentOf(bytes) !== commitment.toLowerCase()) {
        throw new TypeError('The envelope does not hash to the commitment that it is stored for.');
      }
      await gate.shared(async () => {
        const cid = await kubo.call(({ client, options }) =>
          client.block.put(bytes, {
            signal: options.signal,
            mhtype: 'sha2-256',
          }),
        );
        await link(kubo, path, cid);
      });
      // Another process may have collected garbage before the link stood; only what can be read back is stored.
      const { state } = await getEnvelope(bountyId, commitment);
      if (state !== 'found') throw storageFailure(new Error(`The envelope read back is ${state}.`));
    },
    removeEnvelope: (bountyId, commitment) => unlink(kubo, pathOf(bountyId, commitment)),
    async *listEnvelopes() {
      for await (const { name: bountyId } of linksIn(kubo, FOLDER)) {
        for await (const { name } of linksIn(kubo, `${FOLDER}/${bountyId}`))
          yield { bountyId, commitment: name as Hex };
      }
    },
  };
}

function pathOf(bountyId: string, commitment: Hex): string {
  // Whatever came here from outside was validated; a path must not be left to that.
  if (!/^(0|[1-9][0-9]{0,77})$/.test(bountyId) || !/^0x[0-9a-fA-F]{64}$/.test(commitment)) {
    throw new TypeError('A bounty id in decimal and a commitment of 32 bytes in hex are expected.');
  }
  return `${FOLDER}/${bountyId}/${commitment.toLowerCase()}`;
}
