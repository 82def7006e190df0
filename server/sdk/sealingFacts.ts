// What a Solver seals for and a Guardian opens from: one bounty at one block of the user's own RPC, with its pinned
// roster recomputed and the round that unlocks it. Nothing of the API enters here.

import type { Hex } from 'viem';
import type { DrandNetwork } from '../protocol/drandNetwork.ts';
import { revealRound } from '../protocol/reveal.ts';
import { type Guardian, recipientsCommitment } from '../protocol/roster.ts';
import type { ChainTip, Hub, HubBounty } from './hub.ts';

/** A bounty as sealing and opening need it. */
export interface SealingFacts {
  readonly bounty: HubBounty;
  readonly roster: readonly Guardian[];
  readonly recipientsCommitment: Hex;
  /** The first drand round at or after the submission deadline. */
  readonly round: number;
  /** The block that all of this was read at. */
  readonly at: ChainTip;
}

/**
 * Read them.
 *
 * @param drand The deployment's drand chain, from the deployment table and never from the API
 * @throws HubError for an unknown bounty or an RPC that fails, UntrustedAnswerError for a roster of another hash
 */
export async function readSealingFacts(
  hub: Hub,
  bountyId: bigint,
  drand: Pick<DrandNetwork, 'genesisSeconds' | 'periodSeconds'>,
): Promise<SealingFacts> {
  const at = await hub.tip();
  const bounty = await hub.bounty(bountyId, at.number);
  const roster = await hub.roster(bounty.guardianRosterHash, at.number);
  const round = revealRound(bounty.submissionDeadline, drand);
  return { bounty, roster, recipientsCommitment: recipientsCommitment(roster), round, at };
}
