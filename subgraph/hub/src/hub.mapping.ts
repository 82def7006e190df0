// Table of contents: which event goes to which subject.

import {
  BalanceClaimed,
  BalanceQueued,
  BountyAwarded,
  BountyCreated,
  BountyRefunded,
  BountyTimedOut,
  FeePolicyUpdated,
  RosterPublished,
  SubmissionRecorded,
  VerdictRecorded,
} from '../generated/Hub/Hub';
import { addToBalance, takeBalance } from './balance';
import { createBounty } from './bounty';
import { countBounty, setCurrentRoster, setFeePolicy } from './hubState';
import { keepRoster } from './roster';
import { awardBounty, refundBounty, timeOutBounty } from './settlement';
import { recordSubmission } from './submission';
import { recordVerdict } from './verdict';

export function handleRosterPublished(event: RosterPublished): void {
  keepRoster(event);
  setCurrentRoster(event);
}

export function handleFeePolicyUpdated(event: FeePolicyUpdated): void {
  setFeePolicy(event);
}

export function handleBountyCreated(event: BountyCreated): void {
  createBounty(event);
  countBounty(event);
}

export function handleSubmissionRecorded(event: SubmissionRecorded): void {
  recordSubmission(event);
}

export function handleVerdictRecorded(event: VerdictRecorded): void {
  recordVerdict(event);
}

export function handleBountyAwarded(event: BountyAwarded): void {
  awardBounty(event);
}

export function handleBountyRefunded(event: BountyRefunded): void {
  refundBounty(event);
}

export function handleBountyTimedOut(event: BountyTimedOut): void {
  timeOutBounty(event);
}

export function handleBalanceQueued(event: BalanceQueued): void {
  addToBalance(event);
}

export function handleBalanceClaimed(event: BalanceClaimed): void {
  takeBalance(event);
}
