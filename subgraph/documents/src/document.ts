// Bytes become a document only when they hash to the commitment that named them and are text of the kind that was named.
// Whatever lies under a commitment, the handler returns: anybody can commit to anything.

import { Bytes, crypto, dataSource, log } from '@graphprotocol/graph-ts';
import { ChallengeDocument, ReportDocument } from '../generated/schema';
import { clip } from './clip';
import { frontmatterField, hasFrontmatter } from './frontmatter';
import { isPlainUtf8 } from './utf8';

// The service's limit. It also keeps the words of a document within the 1 MiB that PostgreSQL's tsvector can hold: the
// densest text found makes 3.7 bytes of each byte.
const MAX_DOCUMENT_BYTES = 256 * 1024;
const MAX_TITLE_UNITS = 200;
const MAX_SUMMARY_UNITS = 4000;
const CHALLENGE_PROFILE = 'scientific-bounty-challenge/v0';
const VERDICT_PROFILE = 'written-verdict/v0';

/** Saves what was found for a spec_commitment, if it is a challenge. */
export function saveChallenge(content: Bytes): void {
  const commitment = dataSource.context().getBytes('commitment');
  const text = committedText(content, commitment, CHALLENGE_PROFILE);
  if (text == '') return;
  const document = new ChallengeDocument(commitment);
  document.cid = dataSource.stringParam();
  document.title = clip(frontmatterField(text, 'title'), MAX_TITLE_UNITS);
  document.summary = clip(frontmatterField(text, 'summary'), MAX_SUMMARY_UNITS);
  document.text = text;
  document.byteLength = content.length;
  document.save();
}

/** Saves what was found for a report_commitment, if it is a written Verdict. */
export function saveReport(content: Bytes): void {
  const commitment = dataSource.context().getBytes('commitment');
  const text = committedText(content, commitment, VERDICT_PROFILE);
  if (text == '') return;
  const document = new ReportDocument(commitment);
  document.cid = dataSource.stringParam();
  document.text = text;
  document.byteLength = content.length;
  document.save();
}

/** The text of the bytes; empty when they are not what was committed, or not a document of this kind. */
function committedText(content: Bytes, commitment: Bytes, profile: string): string {
  if (content.length > MAX_DOCUMENT_BYTES) return '';
  if (!Bytes.fromByteArray(crypto.keccak256(content)).equals(commitment)) {
    log.warning('the bytes found for {} do not hash to it', [commitment.toHexString()]);
    return '';
  }
  if (!isPlainUtf8(content)) return '';
  const text = content.toString();
  return hasFrontmatter(text) && frontmatterField(text, 'profile') == profile ? text : '';
}
