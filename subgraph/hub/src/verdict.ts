// A Guardian's current Verdict and every revision of it.

import { VerdictRecorded } from '../generated/Hub/Hub';
import { Verdict, VerdictRevision } from '../generated/schema';
import { loadBounty, saveBounty } from './bounty';
import { revisionKey, verdictKey } from './id';
import { AWARDED, outcomeName } from './outcome';
import { setProvenance } from './provenance';
import { keepReport } from './report';
import { countVerdict, uncountVerdict } from './tally';

/** A Guardian recorded a Verdict: the first here, or in place of an earlier one. */
export function recordVerdict(event: VerdictRecorded): void {
  const p = event.params;
  const bounty = loadBounty(p.bountyId, event);
  if (bounty == null) return;
  keepReport(p.reportCommitment);

  const id = verdictKey(bounty.id, p.guardian);
  let verdict = Verdict.load(id);
  // A Verdict that says the same with another report stays in its tally.
  let counts = true;
  if (verdict == null) {
    verdict = new Verdict(id);
    verdict.bounty = bounty.id;
    verdict.guardian = p.guardian;
    verdict.revision = 0;
    bounty.verdictCount += 1;
  } else if (verdict.matchHash.equals(p.matchHash)) {
    counts = false;
  } else {
    uncountVerdict(bounty, verdict.tally, event);
  }
  if (counts) {
    verdict.tally = countVerdict(bounty, event);
    saveBounty(bounty, event);
  }
  describe(verdict, event);
  verdict.save();
  keepRevision(verdict, event);
}

function describe(verdict: Verdict, event: VerdictRecorded): void {
  const p = event.params;
  const awarded = p.outcome == AWARDED;
  verdict.revision += 1;
  verdict.outcome = outcomeName(p.outcome);
  verdict.winner = awarded ? p.winner : null;
  verdict.submissionCommitment = awarded ? p.submissionCommitment : null;
  verdict.payoutData = p.payoutData;
  verdict.matchHash = p.matchHash;
  verdict.report = p.reportCommitment;
  verdict.reportCommitment = p.reportCommitment;
  verdict.recordedAt = event.block.timestamp;
  setProvenance(verdict, event);
}

function keepRevision(verdict: Verdict, event: VerdictRecorded): void {
  const revision = new VerdictRevision(revisionKey(verdict.id, verdict.revision));
  revision.bounty = verdict.bounty;
  revision.guardian = verdict.guardian;
  revision.outcome = verdict.outcome;
  revision.winner = verdict.winner;
  revision.submissionCommitment = verdict.submissionCommitment;
  revision.payoutData = verdict.payoutData;
  revision.matchHash = verdict.matchHash;
  revision.report = verdict.report;
  revision.reportCommitment = verdict.reportCommitment;
  revision.revision = verdict.revision;
  revision.recordedAt = verdict.recordedAt;
  setProvenance(revision, event);
  revision.save();
}
