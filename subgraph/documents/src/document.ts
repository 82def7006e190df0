// Bytes become a document only when they hash to the commitment that named them and are text of the kind that was named.

import { Bytes, crypto, dataSource, log } from '@graphprotocol/graph-ts';
import { ChallengeDocument, ReportDocument } from '../generated/schema';
import { isPlainUtf8 } from './utf8';

const MAX_DOCUMENT_BYTES = 256 * 1024;
const CHALLENGE_PROFILE = 'profile: scientific-bounty-challenge/v0';
const VERDICT_PROFILE = 'profile: written-verdict/v0';

export function saveChallenge(content: Bytes): void {
  const commitment = dataSource.context().getBytes('commitment');
  const text = committedText(content, commitment, CHALLENGE_PROFILE);
  if (text == '') return;
  const document = new ChallengeDocument(commitment);
  document.cid = dataSource.stringParam();
  document.title = firstHeading(text);
  document.text = text;
  document.byteLength = content.length;
  document.save();
}

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
  if (!Bytes.fromByteArray(crypto.keccak256(content)).equals(commitment)) {
    log.warning('the bytes found for {} do not hash to it', [commitment.toHexString()]);
    return '';
  }
  if (content.length > MAX_DOCUMENT_BYTES || !isPlainUtf8(content)) return '';
  const text = content.toString();
  if (!text.startsWith('---\n') && !text.startsWith('---\r\n')) return '';
  const close = text.indexOf('\n---', 3);
  const found = text.indexOf('\n' + profile);
  return found >= 0 && found < close ? text : '';
}

function firstHeading(text: string): string {
  const start = text.indexOf('\n# ');
  if (start < 0) return '';
  const end = text.indexOf('\n', start + 1);
  return text.slice(start + 3, end < 0 ? text.length : end).trim();
}
