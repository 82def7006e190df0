// The VerificationRecord of a final bounty: derived from the finalized chain and the challenge's bytes, kept, and held
// against the chain in every word whenever it is served. Two servers derive the same bytes; nothing is granted by it.

import { canonicalJson } from '../protocol/canonicalJson.ts';
import type { ErrorCode } from '../protocol/errors.ts';
import {
  buildVerificationRecord,
  isIntactRecord,
  type RecordFacts,
  type VerificationRecord,
} from '../protocol/verificationRecord.ts';
import type { IndexedBounty } from './hubIndex/bounty.ts';
import { readEnd } from './hubIndex/settlement.ts';
import type { HubIndex, Snapshot } from './hubIndex.ts';
import type { Logger } from './log.ts';
import { recordFacts } from './recordFacts.ts';
import type { VerificationRecords } from './state/verificationRecords.ts';

/** The record, or the code that says why there is none yet. */
export type RecordState = { readonly record: VerificationRecord } | { readonly code: ErrorCode };

/** What deriving needs. */
export interface RecordSources {
  readonly config: Pick<RecordFacts, 'chainId' | 'hubAddress'>;
  readonly hubIndex: HubIndex;
  readonly verificationRecords: VerificationRecords;
  readonly log: Logger;
}

/**
 * The record of a bounty at P.
 *
 * @param challengeBytes The verified bytes of the challenge, undefined while they cannot be had
 * @throws ServiceError 503 when facts cannot be read
 */
export async function readVerificationRecord(
  sources: RecordSources,
  bounty: IndexedBounty,
  challengeBytes: Uint8Array | undefined,
  at: Snapshot,
): Promise<RecordState> {
  if (bounty.status === 'open') return { code: 'bounty_not_final' };
  const [end, kept] = await Promise.all([
    readEnd(sources.hubIndex, bounty.id, at),
    findKept(sources, bounty.id),
  ]);
  // The length is the one thing that the chain does not say: a kept record stands in for bytes that went away.
  const byteLength = challengeBytes?.length ?? kept?.record?.challenge.byte_length;
  if (byteLength === undefined) return { code: 'challenge_unavailable' };
  const built = buildVerificationRecord(recordFacts(sources.config, bounty, end, byteLength));
  if ('issues' in built) {
    sources.log.error({ bounty: bounty.id, ...built }, 'the finalized events contradict each other');
    return { code: 'record_inconsistent' };
  }
  const text = canonicalJson(built.record);
  if (kept?.text === text) return built;
  if (kept !== undefined) {
    sources.log.error({ bounty: bounty.id }, 'the kept VerificationRecord is not what the chain says');
    if (challengeBytes === undefined) return { code: 'challenge_unavailable' };
  }
  await sources.verificationRecords
    .keep(bounty.id, built.record.record_commitment, text)
    .catch((err) => sources.log.warn({ err }, 'a VerificationRecord could not be kept'));
  return built;
}

interface Kept {
  readonly text: string;
  /** Undefined when the text is no record that hashes to its own commitment. */
  readonly record: VerificationRecord | undefined;
}

async function findKept({ verificationRecords, log }: RecordSources, id: string): Promise<Kept | undefined> {
  const text = await verificationRecords.find(id).catch((err) => {
    log.warn({ err }, 'kept VerificationRecords cannot be read');
    return undefined;
  });
  return text === undefined ? undefined : { text, record: intact(text) };
}

function intact(text: string): VerificationRecord | undefined {
  try {
    const record = JSON.parse(text) as VerificationRecord;
    return isIntactRecord(record) && Number.isSafeInteger(record.challenge.byte_length) ? record : undefined;
  } catch {
    return undefined;
  }
}
