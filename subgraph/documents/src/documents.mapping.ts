// Table of contents: which event names which document.

import { BountyCreated, VerdictRecorded } from '../generated/Hub/Hub';
import { CHALLENGE, REPORT, seek } from './reference';

export function handleBountyCreated(event: BountyCreated): void {
  seek(CHALLENGE, 'ChallengeFile', event.params.specCommitment, event);
}

export function handleVerdictRecorded(event: VerdictRecorded): void {
  seek(REPORT, 'ReportFile', event.params.reportCommitment, event);
}
