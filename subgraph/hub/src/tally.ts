// Counting current Verdicts by what must match, in constant time for each event: a histogram of the tallies' counts keeps
// the largest exact when Verdicts move from one tally to another.

import { Address, Bytes, ethereum } from '@graphprotocol/graph-ts';
import { VerdictRecorded } from '../generated/Hub/Hub';
import { Bounty, VerdictTally } from '../generated/schema';
import { tallyKey } from './id';
import { AWARDED, outcomeName } from './outcome';
import { setProvenance } from './provenance';

/** Adds one Verdict to its tally. The bounty is changed and not saved. */
export function countVerdict(bounty: Bounty, event: VerdictRecorded): string {
  const tally = loadTally(bounty, event);
  move(bounty, tally, 1);
  saveTally(tally, event);
  return tally.id;
}

/** Takes one Verdict out of the tally that it was in. The bounty is changed and not saved. */
export function uncountVerdict(bounty: Bounty, tallyId: string, event: ethereum.Event): void {
  const tally = VerdictTally.load(tallyId);
  if (tally == null || tally.matching == 0) return;
  move(bounty, tally, -1);
  saveTally(tally, event);
}

function loadTally(bounty: Bounty, event: VerdictRecorded): VerdictTally {
  const id = tallyKey(bounty.id, event.params.matchHash);
  let tally = VerdictTally.load(id);
  if (tally != null) return tally;
  const p = event.params;
  const awarded = p.outcome == AWARDED;
  tally = new VerdictTally(id);
  tally.bounty = bounty.id;
  tally.matchHash = p.matchHash;
  tally.outcome = outcomeName(p.outcome);
  if (awarded) {
    tally.winner = p.winner;
    tally.submissionCommitment = p.submissionCommitment;
  }
  tally.payoutData = p.payoutData;
  tally.payable = awarded ? p.payoutData.equals(payoutOf(bounty)) : p.payoutData.length == 0;
  tally.matching = 0;
  return tally;
}

/** abi.encode(token, netAmount) of the bounty; both are static, so a tuple of them is encoded the same way. */
function payoutOf(bounty: Bounty): Bytes {
  const values = new ethereum.Tuple();
  values.push(ethereum.Value.fromAddress(Address.fromBytes(bounty.token)));
  values.push(ethereum.Value.fromUnsignedBigInt(bounty.netAmount));
  const encoded = ethereum.encode(ethereum.Value.fromTuple(values));
  if (encoded === null) return Bytes.empty();
  return encoded;
}

/** Moves the tally one step, and the histogram, the lead and the votes missing with it when it can settle. */
function move(bounty: Bounty, tally: VerdictTally, step: i32): void {
  const before = tally.matching;
  tally.matching = before + step;
  if (!tally.payable) return;
  const histogram = bounty.matchingHistogram;
  while (histogram.length <= tally.matching) histogram.push(0);
  if (before > 0 && histogram[before] > 0) histogram[before] -= 1;
  if (tally.matching > 0) histogram[tally.matching] += 1;
  let leading = bounty.leadingMatching;
  if (tally.matching > leading) leading = tally.matching;
  // Only the tally that moved can have left the lead empty, and it stands one lower now.
  else if (leading > 0 && histogram[leading] == 0) leading -= 1;
  bounty.matchingHistogram = histogram;
  bounty.leadingMatching = leading;
  bounty.votesMissing = bounty.threshold > leading ? bounty.threshold - leading : 0;
}

function saveTally(tally: VerdictTally, event: ethereum.Event): void {
  setProvenance(tally, event);
  tally.save();
}
