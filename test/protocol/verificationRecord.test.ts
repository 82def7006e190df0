import { expect } from 'chai';
import fc from 'fast-check';
import type { Address, Hex } from 'viem';
import { canonicalJson } from '../../server/protocol/canonicalJson.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import {
  buildVerificationRecord,
  isIntactRecord,
  type RecordFacts,
  type VerificationRecord,
} from '../../server/protocol/verificationRecord.ts';
import vectors from '../vectors/verificationRecord.json' with { type: 'json' };
import { AWARDED_FACTS, REFUNDED_FACTS, TIMED_OUT_FACTS } from './recordFacts.ts';

const ALL = { awarded: AWARDED_FACTS, refunded: REFUNDED_FACTS, timed_out: TIMED_OUT_FACTS };

function recordOf(facts: RecordFacts): VerificationRecord {
  const built = buildVerificationRecord(facts);
  if ('issues' in built) throw new Error(JSON.stringify(built.issues));
  return built.record;
}

describe('VerificationRecord', () => {
  for (const [outcome, facts] of Object.entries(ALL)) {
    it(`of a bounty that is ${outcome} is the golden one`, () => {
      const golden = vectors.find((vector) => vector.outcome === outcome)!;
      const record = recordOf(facts);
      expect(canonicalJson(record)).to.equal(golden.canonical_json);
      const { record_commitment, ...rest } = JSON.parse(golden.canonical_json);
      expect(record_commitment).to.equal(golden.record_commitment);
      expect(commitmentOf(new TextEncoder().encode(canonicalJson(rest)))).to.equal(record_commitment);
      expect(isIntactRecord(JSON.parse(golden.canonical_json))).to.equal(true);
    });
  }

  it('says what an award came to', () => {
    const record = recordOf(AWARDED_FACTS);
    expect(Object.keys(record)).to.deep.equal([
      'schema',
      'advisory',
      'chain_id',
      'hub_address',
      'bounty_id',
      'outcome',
      'winner',
      'awarded_submission_commitment',
      'payout',
      'challenge',
      'quorum',
      'supporting_verdicts',
      'settlement',
      'record_commitment',
    ]);
    expect(record).to.deep.include({
      schema: 'verification-record/v0',
      advisory: true,
      bounty_id: '7',
      winner: '0x5cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb',
      payout: { token_address: '0x00000000000000000000000000000000000000a1', amount: '975000' },
      quorum: { roster_size: 3, threshold: 2, matching: 2 },
    });
    expect(record.supporting_verdicts[0]).to.deep.equal({
      guardian_address: '0x1563915e194d8cfba1943570603f7606a3115508',
      report_commitment: `0x${'66'.repeat(32)}`,
      block_number: 101,
      block_hash: `0x${'b1'.repeat(32)}`,
      transaction_hash: `0x${'b2'.repeat(32)}`,
      log_index: 1,
    });
    expect(record.settlement).to.deep.equal({
      block_number: 110,
      block_hash: `0x${'c1'.repeat(32)}`,
      transaction_hash: `0x${'c2'.repeat(32)}`,
      log_index: 4,
      settled_at: 1_790_050_000,
    });
  });

  it('names nobody and pays nothing unless awarded', () => {
    for (const facts of [REFUNDED_FACTS, TIMED_OUT_FACTS]) {
      expect(recordOf(facts)).to.deep.include({
        winner: null,
        awarded_submission_commitment: null,
        payout: null,
      });
    }
    expect(recordOf(TIMED_OUT_FACTS)).to.deep.include({
      quorum: { roster_size: 3, threshold: 2, matching: 0 },
      supporting_verdicts: [],
    });
  });

  it('is the same whatever the order of its Verdicts and the case of its hex', () => {
    const upper = (hex: Hex) => `0x${hex.slice(2).toUpperCase()}` as Hex;
    const shouted: RecordFacts = {
      ...AWARDED_FACTS,
      hubAddress: upper(AWARDED_FACTS.hubAddress),
      challenge: {
        ...AWARDED_FACTS.challenge,
        specCommitment: upper(AWARDED_FACTS.challenge.specCommitment),
      },
      supportingVerdicts: [...AWARDED_FACTS.supportingVerdicts]
        .reverse()
        .map((verdict) => ({ ...verdict, guardianAddress: upper(verdict.guardianAddress) })),
    };
    expect(canonicalJson(recordOf(shouted))).to.equal(canonicalJson(recordOf(AWARDED_FACTS)));
  });

  it('changes its commitment with everything it says', () => {
    const record = recordOf(AWARDED_FACTS);
    for (const key of Object.keys(record).filter((name) => name !== 'record_commitment')) {
      const changed = { ...record, [key]: 'other' } as unknown as VerificationRecord;
      expect(isIntactRecord(changed), key).to.equal(false);
    }
    expect(isIntactRecord({ ...record, record_commitment: `0x${'00'.repeat(32)}` })).to.equal(false);
    expect(isIntactRecord({ ...record, note: 'x' } as VerificationRecord)).to.equal(false);
  });

  it('is built for every roster that two thirds agree in', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(), (rosterSize, extra) => {
        const least = Math.ceil((2 * rosterSize) / 3);
        const matching = least + (extra % (rosterSize - least + 1));
        const supportingVerdicts = Array.from({ length: matching }, (_, index) => ({
          ...AWARDED_FACTS.supportingVerdicts[0]!,
          guardianAddress: `0x${(matching - index).toString(16).padStart(40, '0')}` as Address,
        }));
        const record = recordOf({ ...AWARDED_FACTS, rosterSize, matching, supportingVerdicts });
        const accounts = record.supporting_verdicts.map(({ guardian_address }) => guardian_address);
        expect(accounts).to.deep.equal([...accounts].sort());
        expect(isIntactRecord(record)).to.equal(true);
      }),
      { numRuns: 40 },
    );
  });

  const [first, second] = AWARDED_FACTS.supportingVerdicts as [
    RecordFacts['supportingVerdicts'][0],
    RecordFacts['supportingVerdicts'][0],
  ];
  const inconsistent: [why: string, facts: RecordFacts, paths: string[]][] = [
    ['award without winner', { ...AWARDED_FACTS, award: null }, ['/outcome']],
    ['refund with winner', { ...REFUNDED_FACTS, award: AWARDED_FACTS.award }, ['/outcome']],
    ['too few', { ...AWARDED_FACTS, matching: 1, supportingVerdicts: [first] }, ['/quorum/matching']],
    ['more than there are', { ...AWARDED_FACTS, rosterSize: 1 }, ['/quorum/matching']],
    ['one missing', { ...AWARDED_FACTS, supportingVerdicts: [first] }, ['/supporting_verdicts']],
    ['one twice', { ...AWARDED_FACTS, supportingVerdicts: [first, first] }, ['/supporting_verdicts']],
    [
      'one twice beside another',
      { ...AWARDED_FACTS, supportingVerdicts: [first, first, second] },
      ['/supporting_verdicts'],
    ],
    [
      'timeout with a majority',
      { ...TIMED_OUT_FACTS, matching: 2, supportingVerdicts: [first, second] },
      ['/quorum/matching'],
    ],
    ['timeout with a Verdict', { ...TIMED_OUT_FACTS, supportingVerdicts: [first] }, ['/supporting_verdicts']],
  ];
  for (const [why, facts, paths] of inconsistent) {
    it(`is not built from facts that contradict each other: ${why}`, () => {
      const built = buildVerificationRecord(facts);
      expect(built).to.have.property('issues');
      expect((built as { issues: { path: string }[] }).issues.map(({ path }) => path)).to.deep.equal(paths);
    });
  }
});
