// How a bounty ends: awarded, refunded or timed out, once.

import { BigInt, ethereum } from '@graphprotocol/graph-ts';
import { BountyAwarded, BountyRefunded, BountyTimedOut } from '../generated/Hub/Hub';
import { Bounty, Settlement } from '../generated/schema';
import { loadBounty, saveBounty } from './bounty';

export function awardBounty(event: BountyAwarded): void {
  const p = event.params;
  const bounty = loadBounty(p.bountyId, event);
  if (bounty == null) return;
  const settlement = newSettlement(bounty, 'awarded', event);
  settlement.winner = p.winner;
  settlement.submissionCommitment = p.submissionCommitment;
  settlement.paidAmount = p.netAmount;
  settlement.feeAmount = p.feeAmount;
  settlement.matchHash = p.matchHash;
  settlement.matching = p.matching.toI32();
  settlement.save();
  bounty.winner = p.winner;
  bounty.awardedSubmissionCommitment = p.submissionCommitment;
  end(bounty, settlement, event);
}

export function refundBounty(event: BountyRefunded): void {
  const p = event.params;
  const bounty = loadBounty(p.bountyId, event);
  if (bounty == null) return;
  const settlement = newSettlement(bounty, 'refunded', event);
  settlement.paidAmount = p.amount;
  settlement.matchHash = p.matchHash;
  settlement.matching = p.matching.toI32();
  settlement.save();
  end(bounty, settlement, event);
}

export function timeOutBounty(event: BountyTimedOut): void {
  const bounty = loadBounty(event.params.bountyId, event);
  if (bounty == null) return;
  const settlement = newSettlement(bounty, 'timed_out', event);
  settlement.paidAmount = event.params.amount;
  settlement.save();
  end(bounty, settlement, event);
}

function newSettlement(bounty: Bounty, status: string, event: ethereum.Event): Settlement {
  const settlement = new Settlement(bounty.id);
  settlement.bounty = bounty.id;
  settlement.status = status;
  settlement.feeAmount = BigInt.zero();
  settlement.settledAt = event.block.timestamp;
  settlement.blockNumber = event.block.number;
  settlement.blockHash = event.block.hash;
  settlement.transactionHash = event.transaction.hash;
  settlement.logIndex = event.logIndex;
  return settlement;
}

function end(bounty: Bounty, settlement: Settlement, event: ethereum.Event): void {
  bounty.status = settlement.status;
  bounty.settlement = settlement.id;
  saveBounty(bounty, event);
}
