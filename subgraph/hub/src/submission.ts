// A Solver's active Submission, every revision of it, and what copycats cannot touch.

import { SubmissionRecorded } from '../generated/Hub/Hub';
import { BountySubmission, SealedSubmission, Submission, SubmissionRevision } from '../generated/schema';
import { loadBounty, saveBounty } from './bounty';
import { bountyKey, bountySubmissionKey, revisionKey, submissionKey } from './id';
import { setProvenance } from './provenance';

/** A Solver recorded a Submission: the first here, or in place of an earlier one. */
export function recordSubmission(event: SubmissionRecorded): void {
  const p = event.params;
  const bountyId = bountyKey(p.bountyId);
  const id = submissionKey(bountyId, p.solver);
  // The row itself proves that the bounty exists: only a Solver's first Submission has to load and change the bounty.
  let submission = Submission.load(id);
  if (submission == null) {
    const bounty = loadBounty(p.bountyId, event);
    if (bounty == null) return;
    bounty.submissionCount += 1;
    saveBounty(bounty, event);
    submission = new Submission(id);
    submission.bounty = bountyId;
    submission.solver = p.solver;
    submission.revision = 0;
  }
  submission.revision += 1;
  submission.sealedSubmission = p.submissionCommitment;
  submission.submissionCommitment = p.submissionCommitment;
  submission.recordedAt = event.block.timestamp;
  setProvenance(submission, event);
  submission.save();

  keepCommitment(bountyId, event);
  keepRevision(submission, event);
}

function keepCommitment(bountyId: string, event: SubmissionRecorded): void {
  const commitment = event.params.submissionCommitment;
  const sealed = new SealedSubmission(commitment);
  sealed.save();
  const recorded = new BountySubmission(bountySubmissionKey(bountyId, commitment));
  recorded.bounty = bountyId;
  recorded.submissionCommitment = commitment;
  recorded.save();
}

function keepRevision(submission: Submission, event: SubmissionRecorded): void {
  const revision = new SubmissionRevision(revisionKey(submission.id, submission.revision));
  revision.bounty = submission.bounty;
  revision.solver = submission.solver;
  revision.submissionCommitment = submission.submissionCommitment;
  revision.revision = submission.revision;
  revision.recordedAt = submission.recordedAt;
  setProvenance(revision, event);
  revision.save();
}
