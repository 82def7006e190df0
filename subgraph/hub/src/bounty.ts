// A bounty's row: what creation fixes, and where every later event leaves its mark.

import { BigInt, ethereum, log } from '@graphprotocol/graph-ts';
import { BountyCreated } from '../generated/Hub/Hub';
import { Bounty, Roster } from '../generated/schema';
import { keepChallenge } from './challenge';
import { bountyKey } from './id';
import { setProvenance } from './provenance';

const BASIS_POINTS = BigInt.fromI32(10000);

/** A new bounty, open, over the roster that it pins. */
export function createBounty(event: BountyCreated): void {
  const p = event.params;
  const roster = Roster.load(p.guardianRosterHash);
  if (roster == null) {
    log.error('bounty {} pins a roster that was never published', [p.bountyId.toString()]);
    return;
  }
  keepChallenge(p.specCommitment);

  const feeAmount = p.amount.times(BigInt.fromI32(p.feeBps)).div(BASIS_POINTS);
  const bounty = new Bounty(bountyKey(p.bountyId));
  bounty.number = p.bountyId;
  bounty.poster = p.poster;
  bounty.status = 'open';
  bounty.challenge = p.specCommitment;
  bounty.specCommitment = p.specCommitment;
  bounty.token = p.token;
  bounty.amount = p.amount;
  bounty.feeBps = p.feeBps;
  bounty.feeAmount = feeAmount;
  bounty.netAmount = p.amount.minus(feeAmount);
  bounty.treasury = p.treasury;
  bounty.submissionDeadline = p.submissionDeadline;
  bounty.judgingDeadlineAt = p.judgingDeadlineAt;
  bounty.settlementTimeoutAt = p.settlementTimeoutAt;
  bounty.roster = p.guardianRosterHash;
  bounty.guardianRosterHash = p.guardianRosterHash;
  bounty.rosterSize = roster.size;
  bounty.threshold = roster.threshold;
  bounty.submissionCount = 0;
  bounty.verdictCount = 0;
  bounty.leadingMatching = 0;
  bounty.votesMissing = roster.threshold;
  bounty.matchingHistogram = [];
  bounty.createdAt = event.block.timestamp;
  bounty.createdAtBlock = event.block.number;
  bounty.createdInTransaction = event.transaction.hash;
  saveBounty(bounty, event);
}

/** The bounty, or null with a line in the log: an event of a bounty that was never created changes nothing. */
export function loadBounty(bountyId: BigInt, event: ethereum.Event): Bounty | null {
  const bounty = Bounty.load(bountyKey(bountyId));
  if (bounty == null) {
    log.error('no bounty {} for the event in transaction {}', [
      bountyId.toString(),
      event.transaction.hash.toHexString(),
    ]);
  }
  return bounty;
}

/** Saves the bounty as set by this event. */
export function saveBounty(bounty: Bounty, event: ethereum.Event): void {
  setProvenance(bounty, event);
  bounty.save();
}
