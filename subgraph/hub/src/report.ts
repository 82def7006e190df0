// The written Verdict that a report_commitment names: what its id determines and nothing more.

import { Bytes } from '@graphprotocol/graph-ts';
import { commitmentCid } from '../../address/src/commitmentCid';
import { Report } from '../generated/schema';

/** Keeps the report; a commitment that is there already is skipped by the store. */
export function keepReport(reportCommitment: Bytes): void {
  const report = new Report(reportCommitment);
  report.cid = commitmentCid(reportCommitment);
  report.save();
}
