// Winning-solution delivery (specification section 4): the deployment's key, Guardians' wraps, and the Poster's retrieval.
// Keys come in and go out wrapped: opening them is for whoever holds the private key.

import { type Address, getAddress, type Hex } from 'viem';
import { decodeBase64Url } from '../../protocol/base64Url.ts';
import { HPKE_SUITE } from '../../protocol/hpke.ts';
import { readX25519PublicKey } from '../../protocol/x25519Key.ts';
import { keyId } from '../../protocol/x25519KeyPair.ts';
import {
  type DeliveryKey,
  deliveryKey,
  deliveryStatus,
  type Retrieval,
  retrieval,
  type WrapReceipt,
  wrapReceipt,
} from '../answers/delivery.ts';
import type { CallOptions, Connection } from '../connection.ts';
import { readJson } from '../readAnswer.ts';
import { contradictions } from '../untrustedAnswer.ts';

/** A content key, wrapped to the deployment's delivery key. */
export interface DeliveryWrap {
  readonly solverAddress: Address;
  readonly submissionCommitment: Hex;
  /** base64url of `enc || ct`. */
  readonly wrappedKey: string;
}

/** The delivery routes. */
export interface Delivery {
  /** The deployment's public key; its id is derived from it here and must agree. */
  key(options?: CallOptions): Promise<DeliveryKey>;
  /** Hand a wrap over, as a pinned Guardian; the same answer whoever stored first. */
  wrap(bountyId: bigint, wrap: DeliveryWrap, options?: CallOptions): Promise<WrapReceipt>;
  /** Whether a wrap is stored for exactly this Submission. */
  exists(bountyId: bigint, submissionCommitment: Hex, options?: CallOptions): Promise<boolean>;
  /**
   * The winning Submission's key, rewrapped to a fresh public key of the funding Poster (base64url).
   *
   * @throws UntrustedAnswerError when the Hub names another winner
   */
  retrieve(bountyId: bigint, ephemeralPublicKey: string, options?: CallOptions): Promise<Retrieval>;
}

/** The delivery routes of a connection. */
export function deliveryOf(connection: Connection): Delivery {
  const post = (bountyId: bigint, verb: string, body: object, options: CallOptions) =>
    connection.sign(
      {
        method: 'POST',
        target: `/api/bounties/${bountyId}/delivery/${verb}`,
        body: new TextEncoder().encode(JSON.stringify(body)),
        contentType: 'application/json',
      },
      options,
    );
  return {
    async key(options = {}) {
      const response = await connection.get('/api/deployment/delivery-key', options);
      const answer = await readJson(response, deliveryKey, options.signal);
      requireSoundKey(answer);
      return answer;
    },
    async wrap(bountyId, { solverAddress, submissionCommitment, wrappedKey }, options = {}) {
      const body = {
        solver_address: getAddress(solverAddress),
        submission_commitment: submissionCommitment,
        wrapped_key: wrappedKey,
      };
      const receipt = await readJson(
        await post(bountyId, 'wrap', body, options),
        wrapReceipt,
        options.signal,
      );
      const check = contradictions('The API stored another wrap.');
      check.same('bounty_id', receipt.bounty_id, String(bountyId));
      check.same('submission_commitment', receipt.submission_commitment, submissionCommitment);
      check.done();
      return receipt;
    },
    async exists(bountyId, submissionCommitment, options = {}) {
      const target = `/api/bounties/${bountyId}/delivery/status?submission_commitment=${submissionCommitment}`;
      return (await readJson(await connection.get(target, options), deliveryStatus, options.signal)).exists;
    },
    async retrieve(bountyId, ephemeralPublicKey, options = {}) {
      const body = { poster_ephemeral_public_key: ephemeralPublicKey };
      const answer = await readJson(
        await post(bountyId, 'retrieve', body, options),
        retrieval,
        options.signal,
      );
      const { winner, awardedSubmissionCommitment } = await connection.hub.bounty(bountyId);
      const check = contradictions('The API delivers something else than the Hub awarded.');
      check.same('bounty_id', answer.bounty_id, String(bountyId));
      check.same('solver_address', answer.solver_address, winner);
      check.same('submission_commitment', answer.submission_commitment, awardedSubmissionCommitment);
      check.done();
      return answer;
    },
  };
}

function requireSoundKey({ key_id, public_key, hpke }: DeliveryKey): void {
  const check = contradictions('The delivery key cannot be used.');
  const read = readX25519PublicKey(public_key);
  if ('problem' in read) check.expect(false, 'public_key', read.problem);
  else check.same('key_id', key_id, keyId(decodeBase64Url(public_key)!));
  check.same('hpke.kem_id', hpke.kem_id, HPKE_SUITE.kem_id);
  check.same('hpke.kdf_id', hpke.kdf_id, HPKE_SUITE.kdf_id);
  check.same('hpke.aead_id', hpke.aead_id, HPKE_SUITE.aead_id);
  check.done();
}
