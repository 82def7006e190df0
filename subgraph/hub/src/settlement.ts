// How a bounty ends: awarded, refunded or timed out, once.

import { BigInt, ethereum, log } from '@graphprotocol/graph-ts';
import { BountyAwarded, BountyRefunded, BountyTimedOut } from '../generated/Hub/Hub';
import { Bounty, Settlement } from '../generated/schema';
import { loadBounty, saveBounty } from './bounty';
import { setProvenance } from './provenance';

/** Two thirds of the roster agreed to pay the winner. */
export function awardBounty(event: BountyAwarded): void {
  const p = event.params;
  const bounty = loadOpenBounty(p.bountyId, event);
  if (bounty == null) return;
  const settlement = newSettlement(bounty, 'awarded', p.netAmount, event);
  settlement.winner = p.winner;
  settlement.submissionCommitment = p.submissionCommitment;
  settlement.feeAmount = p.feeAmount;
  settlement.matchHash = p.matchHash;
  settlement.matching = p.matching.toI32();
  bounty.winner = p.winner;
  bounty.awardedSubmissionCommitment = p.submissionCommitment;
  end(bounty, settlement, event);
}

/** Two thirds of the roster agreed to give the escrow back. */
export function refundBounty(event: BountyRefunded): void {
  const p = event.params;
  const bounty = loadOpenBounty(p.bountyId, event);
  if (bounty == null) return;
  const settlement = newSettlement(bounty, 'refunded', p.amount, event);
  settlement.matchHash = p.matchHash;
  settlement.matching = p.matching.toI32();
  end(bounty, settlement, event);
}

/** Nobody agreed in time: the escrow goes back. */
export function timeOutBounty(event: BountyTimedOut): void {
  const bounty = loadOpenBounty(event.params.bountyId, event);
  if (bounty == null) return;
  end(bounty, newSettlement(bounty, 'timed_out', event.params.amount, event), event);
}

/** Null with a line in the log when the bounty has ended: a second row of the same id would stop the subgraph. */
function loadOpenBounty(bountyId: BigInt, event: ethereum.Event): Bounty | null {
  const bounty = loadBounty(bountyId, event);
  if (bounty == null || bounty.status == 'open') return bounty;
  log.error('bounty {} ends a second time', [bounty.id]);
  return null;
}

function newSettlement(
  bounty: Bounty,
  status: string,
  paidAmount: BigInt,
  event: ethereum.Event,
): Settlement {
  const settlement = new Settlement(bounty.id);
  settlement.bounty = bounty.id;
  settlement.status = status;
  settlement.paidAmount = paidAmount;
  settlement.feeAmount = BigInt.zero();
  settlement.settledAt = event.block.timestamp;
  return settlement;
}

function end(bounty: Bounty, settlement: Settlement, event: ethereum.Event): void {
  setProvenance(settlement, event);
  settlement.save();
  bounty.status = settlement.status;
  bounty.settlement = settlement.id;
  saveBounty(bounty, event);
}
