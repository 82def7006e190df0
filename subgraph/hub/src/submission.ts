// A Solver's active Submission, every revision of it, and what copycats cannot touch.

import { SubmissionRecorded } from '../generated/Hub/Hub';
import { BountySubmission, SealedSubmission, Submission, SubmissionRevision } from '../generated/schema';
import { loadBounty, saveBounty } from './bounty';
import { bountySubmissionKey, revisionKey, submissionKey } from './id';

export function recordSubmission(event: SubmissionRecorded): void {
  const solver = event.params.solver;
  const commitment = event.params.submissionCommitment;
  const bounty = loadBounty(event.params.bountyId, event);
  if (bounty == null) return;

  const sealed = new SealedSubmission(commitment);
  sealed.save();
  const recorded = new BountySubmission(bountySubmissionKey(bounty.id, commitment));
  recorded.bounty = bounty.id;
  recorded.submissionCommitment = commitment;
  recorded.save();

  const id = submissionKey(bounty.id, solver);
  let submission = Submission.load(id);
  if (submission == null) {
    submission = new Submission(id);
    submission.bounty = bounty.id;
    submission.solver = solver;
    submission.revision = 0;
    bounty.submissionCount += 1;
    saveBounty(bounty, event);
  }
  submission.revision += 1;
  submission.sealedSubmission = commitment;
  submission.submissionCommitment = commitment;
  submission.recordedAt = event.block.timestamp;
  submission.blockNumber = event.block.number;
  submission.blockHash = event.block.hash;
  submission.transactionHash = event.transaction.hash;
  submission.logIndex = event.logIndex;
  submission.save();

  const revision = new SubmissionRevision(revisionKey(id, submission.revision));
  revision.bounty = bounty.id;
  revision.solver = solver;
  revision.submissionCommitment = commitment;
  revision.revision = submission.revision;
  revision.recordedAt = event.block.timestamp;
  revision.blockNumber = event.block.number;
  revision.blockHash = event.block.hash;
  revision.transactionHash = event.transaction.hash;
  revision.logIndex = event.logIndex;
  revision.save();
}
