// The VerificationRecord of a final bounty: derived once from the finalized chain and the challenge's bytes, kept, and
// checked whenever it is served. Two servers derive the same bytes; nothing is granted by it.

import type { Hex } from 'viem';
import { canonicalJson } from '../protocol/canonicalJson.ts';
import type { ErrorCode } from '../protocol/errors.ts';
import {
  buildVerificationRecord,
  isIntactRecord,
  type LogPlace,
  type RecordFacts,
  type VerificationRecord,
} from '../protocol/verificationRecord.ts';
import type { IndexedBounty } from './hubIndex/bounty.ts';
import { type IndexedSettlement, readSettlement, readSupport } from './hubIndex/settlement.ts';
import type { HubIndex, Snapshot } from './hubIndex.ts';
import type { Logger } from './log.ts';
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
  const settlement = await readSettlement(sources.hubIndex, bounty.id, at);
  const kept = await readKept(sources, bounty, settlement);
  if (kept) return { record: kept };
  if (challengeBytes === undefined) return { code: 'challenge_unavailable' };
  const facts = await recordFacts(sources, bounty, settlement, challengeBytes.length, at);
  const built = buildVerificationRecord(facts);
  if ('issues' in built) {
    sources.log.error(
      { bounty: bounty.id, issues: built.issues },
      'the finalized events contradict each other',
    );
    return { code: 'record_inconsistent' };
  }
  const { record } = built;
  await sources.verificationRecords
    .keep(bounty.id, record.record_commitment, canonicalJson(record))
    .catch((err) => sources.log.warn({ err }, 'a VerificationRecord could not be kept'));
  return { record };
}

/** The kept record, if it is whole and about this very settlement. */
async function readKept(
  { verificationRecords, config, log }: RecordSources,
  { id, specCommitment }: IndexedBounty,
  { transactionHash, blockHash }: IndexedSettlement,
): Promise<VerificationRecord | undefined> {
  const text = await verificationRecords.find(id).catch((err) => {
    log.warn({ err }, 'kept VerificationRecords cannot be read');
    return undefined;
  });
  const record = text === undefined ? undefined : parse(text);
  const isRight =
    record &&
    record.chain_id === config.chainId &&
    record.hub_address === config.hubAddress.toLowerCase() &&
    record.bounty_id === id &&
    record.challenge.spec_commitment === specCommitment &&
    record.settlement.transaction_hash === transactionHash &&
    record.settlement.block_hash === blockHash;
  if (isRight) return record;
  if (record !== undefined)
    log.error({ bounty: id }, 'the kept VerificationRecord is not right: it is derived anew');
  return undefined;
}

async function recordFacts(
  { config, hubIndex }: RecordSources,
  bounty: IndexedBounty,
  settlement: IndexedSettlement,
  byteLength: number,
  at: Snapshot,
): Promise<RecordFacts> {
  const { winner, submissionCommitment, matchHash } = settlement;
  const support = matchHash === null ? [] : await readSupport(hubIndex, bounty.id, matchHash, at);
  const award =
    settlement.status === 'awarded' && winner !== null && submissionCommitment !== null
      ? {
          winner,
          submissionCommitment,
          payout: { tokenAddress: bounty.token, amount: BigInt(settlement.paidAmount) },
        }
      : null;
  return {
    chainId: config.chainId,
    hubAddress: config.hubAddress,
    bountyId: BigInt(bounty.id),
    outcome: settlement.status,
    award,
    challenge: { specCommitment: bounty.specCommitment, byteLength },
    rosterSize: bounty.rosterSize,
    matching: settlement.matching ?? 0,
    supportingVerdicts: support.map((verdict) => ({
      guardianAddress: verdict.guardian,
      reportCommitment: verdict.reportCommitment,
      place: placeOf(verdict),
    })),
    settlement: { place: placeOf(settlement), settledAt: Number(settlement.settledAt) },
  };
}

function placeOf(event: {
  readonly blockNumber: string;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: string;
}): LogPlace {
  const { blockHash, transactionHash } = event;
  return {
    blockNumber: Number(event.blockNumber),
    blockHash,
    transactionHash,
    logIndex: Number(event.logIndex),
  };
}

/** The record of a kept text, or null when the text is not one that hashes to its own commitment. */
function parse(text: string): VerificationRecord | null {
  try {
    const record = JSON.parse(text) as VerificationRecord;
    return isIntactRecord(record) ? record : null;
  } catch {
    return null;
  }
}
