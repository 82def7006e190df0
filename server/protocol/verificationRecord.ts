// The VerificationRecord: what a finalized bounty came to, tied to the committed challenge and the supporting Verdicts
// (specification sections 1 and 2). Deterministic: anyone derives the same bytes from the finalized chain and the
// challenge's bytes. Advisory: must never grant anything.
import type { Address, Hex } from 'viem';
import { canonicalBytes } from './canonicalJson.ts';
import { commitmentOf } from './commitment.ts';
import type { Issue } from './errors.ts';
import { threshold } from './roster.ts';

/** The schema identifier of records. */
export const RECORD_SCHEMA_NAME = 'verification-record/v0';

/** Where an event stands on the finalized chain. */
export interface LogPlace {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: number;
}

/** What the finalized chain and the challenge's bytes say of one bounty. */
export interface RecordFacts {
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly bountyId: bigint;
  readonly outcome: 'awarded' | 'refunded' | 'timed_out';
  /** Null unless awarded. `payout.amount` is the net reward in the token's smallest unit. */
  readonly award: {
    readonly winner: Address;
    readonly submissionCommitment: Hex;
    readonly payout: { readonly tokenAddress: Address; readonly amount: bigint };
  } | null;
  readonly challenge: { readonly specCommitment: Hex; readonly byteLength: number };
  readonly rosterSize: number;
  /** How many Verdicts matched at settlement, as the settling event says; 0 when timed out. */
  readonly matching: number;
  /** The Verdicts that matched at settlement, in any order. */
  readonly supportingVerdicts: readonly {
    readonly guardianAddress: Address;
    readonly reportCommitment: Hex;
    readonly place: LogPlace;
  }[];
  /** The settling event; `settledAt` in Unix seconds. */
  readonly settlement: { readonly place: LogPlace; readonly settledAt: number };
}

interface WrittenPlace {
  readonly block_number: number;
  readonly block_hash: Hex;
  readonly transaction_hash: Hex;
  readonly log_index: number;
}

/** A record as it is served; all addresses and hashes in lower case. */
export interface VerificationRecord {
  readonly schema: typeof RECORD_SCHEMA_NAME;
  readonly advisory: true;
  readonly chain_id: number;
  readonly hub_address: Address;
  readonly bounty_id: string;
  readonly outcome: RecordFacts['outcome'];
  readonly winner: Address | null;
  readonly awarded_submission_commitment: Hex | null;
  readonly payout: { readonly token_address: Address; readonly amount: string } | null;
  readonly challenge: { readonly spec_commitment: Hex; readonly byte_length: number };
  readonly quorum: { readonly roster_size: number; readonly threshold: number; readonly matching: number };
  readonly supporting_verdicts: readonly (WrittenPlace & {
    readonly guardian_address: Address;
    readonly report_commitment: Hex;
  })[];
  readonly settlement: WrittenPlace & { readonly settled_at: number };
  /** keccak256 of the canonical JSON of all the rest. */
  readonly record_commitment: Hex;
}

/** The record of a final bounty, or in what its facts contradict each other (`record_inconsistent`). */
export function buildVerificationRecord(
  facts: RecordFacts,
): { record: VerificationRecord } | { issues: Issue[] } {
  const issues = contradictions(facts);
  if (issues.length > 0) return { issues };
  const { award, challenge, settlement } = facts;
  const rest: Omit<VerificationRecord, 'record_commitment'> = {
    schema: RECORD_SCHEMA_NAME,
    advisory: true,
    chain_id: facts.chainId,
    hub_address: lower(facts.hubAddress),
    bounty_id: String(facts.bountyId),
    outcome: facts.outcome,
    winner: award === null ? null : lower(award.winner),
    awarded_submission_commitment: award === null ? null : lower(award.submissionCommitment),
    payout:
      award === null
        ? null
        : { token_address: lower(award.payout.tokenAddress), amount: String(award.payout.amount) },
    challenge: { spec_commitment: lower(challenge.specCommitment), byte_length: challenge.byteLength },
    quorum: {
      roster_size: facts.rosterSize,
      threshold: threshold(facts.rosterSize),
      matching: facts.matching,
    },
    supporting_verdicts: facts.supportingVerdicts
      .map(({ guardianAddress, reportCommitment, place }) => ({
        guardian_address: lower(guardianAddress),
        report_commitment: lower(reportCommitment),
        ...writtenPlace(place),
      }))
      .sort((one, other) => (one.guardian_address < other.guardian_address ? -1 : 1)),
    settlement: { ...writtenPlace(settlement.place), settled_at: settlement.settledAt },
  };
  return { record: { ...rest, record_commitment: recordCommitment(rest) } };
}

/** keccak256 of the canonical JSON of a record without its `record_commitment`. */
export function recordCommitment(rest: Omit<VerificationRecord, 'record_commitment'>): Hex {
  return commitmentOf(canonicalBytes(rest));
}

/** True when a record that was kept somewhere still hashes to its own commitment. */
export function isIntactRecord(record: VerificationRecord): boolean {
  const { record_commitment, ...rest } = record;
  return recordCommitment(rest) === record_commitment;
}

function contradictions(facts: RecordFacts): Issue[] {
  const { outcome, award, matching, rosterSize, supportingVerdicts } = facts;
  const issues: Issue[] = [];
  const expect = (holds: boolean, path: string, message: string) => {
    if (!holds) issues.push({ path, message });
  };
  expect(
    (award !== null) === (outcome === 'awarded'),
    '/outcome',
    'An award has a winner, and nothing else has.',
  );
  const settledByVerdicts = outcome !== 'timed_out';
  const enough = settledByVerdicts
    ? matching >= threshold(rosterSize) && matching <= rosterSize
    : matching === 0;
  expect(enough, '/quorum/matching', 'Two thirds of the roster settle; a timeout has no matching Verdicts.');
  const guardians = new Set(supportingVerdicts.map(({ guardianAddress }) => lower(guardianAddress)));
  expect(
    guardians.size === supportingVerdicts.length && guardians.size === matching,
    '/supporting_verdicts',
    'There must be one supporting Verdict of each matching Guardian.',
  );
  return issues;
}

function writtenPlace({ blockNumber, blockHash, transactionHash, logIndex }: LogPlace): WrittenPlace {
  return {
    block_number: blockNumber,
    block_hash: lower(blockHash),
    transaction_hash: lower(transactionHash),
    log_index: logIndex,
  };
}

function lower(hex: Hex): Hex {
  return hex.toLowerCase() as Hex;
}
