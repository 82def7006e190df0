// Table of contents: what becomes of bytes that were found.

import { Bytes } from '@graphprotocol/graph-ts';
import { saveChallenge, saveReport } from './document';

export function handleChallengeFile(content: Bytes): void {
  saveChallenge(content);
}

export function handleReportFile(content: Bytes): void {
  saveReport(content);
}
