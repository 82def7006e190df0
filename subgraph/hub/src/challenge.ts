// The document that a spec_commitment names: what its id determines and nothing more, so that a copy changes nothing.

import { Bytes } from '@graphprotocol/graph-ts';
import { commitmentCid } from '../../address/src/commitmentCid';
import { Challenge } from '../generated/schema';

/** Keeps the challenge; a commitment that is there already is skipped by the store. */
export function keepChallenge(specCommitment: Bytes): void {
  const challenge = new Challenge(specCommitment);
  challenge.cid = commitmentCid(specCommitment);
  challenge.save();
}
