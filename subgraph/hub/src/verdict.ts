// A Guardian's current Verdict, every revision of it, and the report that it names.

import { VerdictRecorded } from '../generated/Hub/Hub';
import { Report, Verdict, VerdictRevision } from '../generated/schema';
import { loadBounty, saveBounty } from './bounty';
import { commitmentCid } from './commitmentCid';
import { revisionKey, verdictKey } from './id';
import { AWARDED, outcomeName } from './outcome';
import { countVerdict, uncountVerdict } from './tally';

export function recordVerdict(event: VerdictRecorded): void {
  const p = event.params;
  const bounty = loadBounty(p.bountyId, event);
  if (bounty == null) return;

  const report = new Report(p.reportCommitment);
  report.cid = commitmentCid(p.reportCommitment);
  report.save();

  const id = verdictKey(bounty.id, p.guardian);
  let verdict = Verdict.load(id);
  if (verdict == null) {
    verdict = new Verdict(id);
    verdict.bounty = bounty.id;
    verdict.guardian = p.guardian;
    verdict.revision = 0;
    bounty.verdictCount += 1;
  } else {
    uncountVerdict(bounty, verdict.tally, event);
  }
  verdict.tally = countVerdict(bounty, event);
  verdict.revision += 1;
  verdict.outcome = outcomeName(p.outcome);
  if (p.outcome == AWARDED) {
    verdict.winner = p.winner;
    verdict.submissionCommitment = p.submissionCommitment;
  } else {
    verdict.winner = null;
    verdict.submissionCommitment = null;
  }
  verdict.payoutData = p.payoutData;
  verdict.matchHash = p.matchHash;
  verdict.report = p.reportCommitment;
  verdict.reportCommitment = p.reportCommitment;
  verdict.recordedAt = event.block.timestamp;
  verdict.blockNumber = event.block.number;
  verdict.blockHash = event.block.hash;
  verdict.transactionHash = event.transaction.hash;
  verdict.logIndex = event.logIndex;
  verdict.save();
  saveBounty(bounty, event);

  const revision = new VerdictRevision(revisionKey(id, verdict.revision));
  revision.bounty = bounty.id;
  revision.guardian = p.guardian;
  revision.outcome = verdict.outcome;
  revision.winner = verdict.winner;
  revision.submissionCommitment = verdict.submissionCommitment;
  revision.payoutData = p.payoutData;
  revision.matchHash = p.matchHash;
  revision.report = p.reportCommitment;
  revision.reportCommitment = p.reportCommitment;
  revision.revision = verdict.revision;
  revision.recordedAt = event.block.timestamp;
  revision.blockNumber = event.block.number;
  revision.blockHash = event.block.hash;
  revision.transactionHash = event.transaction.hash;
  revision.logIndex = event.logIndex;
  revision.save();
}
