// A Submission that its Solver recorded and that no honest Guardian can open: a finding for the written Verdict
// (`unopenable`), not a fault of the service, whose answer hashed to the recorded commitment.

import type { Issue } from '../protocol/errors.ts';

/** A Submission that cannot be opened, with every reason. */
export class UnopenableSubmissionError extends Error {
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[]) {
    super(`This Submission cannot be opened. ${issues.map(({ message }) => message).join(' ')}`);
    this.name = 'UnopenableSubmissionError';
    this.issues = issues;
  }
}
