import { expect } from 'chai';
import type { Address } from 'viem';
import { LIMITS } from '../../server/protocol/limits.ts';
import { decodePayoutData } from '../../server/protocol/payout.ts';
import {
  parseWrittenVerdict,
  toHubVerdict,
  type WrittenVerdict,
  type WrittenVerdictContext,
  writtenVerdictContextIssues,
} from '../../server/protocol/writtenVerdict.ts';
import {
  type WrittenVerdictDocumentFields,
  writtenVerdictBytes,
  writtenVerdictText,
} from './writtenVerdictDocument.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

function issuesOf(text: string): { path: string; message: string }[] {
  const parsed = parseWrittenVerdict(utf8(text));
  return 'issues' in parsed ? parsed.issues : [];
}

function verdictFrom(fields: WrittenVerdictDocumentFields = {}): WrittenVerdict {
  const parsed = parseWrittenVerdict(writtenVerdictBytes(fields));
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  return parsed.verdict;
}

/** The right document with one piece of text exchanged; fails when the piece is not there. */
function changed(from: string, to: string, fields: WrittenVerdictDocumentFields = {}): string {
  const text = writtenVerdictText(fields);
  expect(text).to.contain(from);
  return text.replace(from, to);
}

const WINNER = '0x5CbDd86a2FA8Dc4bDdd8a8f69dBa48572EeC07FB';
const SECOND = `  - solver_address: ${WINNER}\n    submission_commitment: 0x${'44'.repeat(32)}\n    result: ineligible\n`;
const PAYOUT = 'payout:\n  token_address: 0x00000000000000000000000000000000000000a1\n  amount: 975000\n';

describe('parseWrittenVerdict', () => {
  it('reads an award, addresses and hashes in any case', () => {
    const commitment = `0x${'AB'.repeat(32)}`;
    expect(verdictFrom({ winner: WINNER, submissionCommitment: commitment })).to.deep.equal({
      chainId: 31337,
      hubAddress: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
      bountyId: 7n,
      specCommitment: `0x${'11'.repeat(32)}`,
      guardianAddress: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
      outcome: 'awarded',
      award: {
        winner: WINNER.toLowerCase(),
        submissionCommitment: commitment.toLowerCase(),
        payout: { tokenAddress: '0x00000000000000000000000000000000000000a1', amount: 975000n },
      },
      reviewedSubmissions: [
        {
          solverAddress: WINNER.toLowerCase(),
          submissionCommitment: commitment.toLowerCase(),
          result: 'meets',
        },
      ],
      criteria: [
        { id: 'AC-1', result: 'pass' },
        { id: 'AC-2', result: 'pass' },
      ],
      issuedAt: 1_790_812_800,
    });
  });

  it('reads a refund, which names nobody to pay', () => {
    const verdict = verdictFrom({ outcome: 'refunded', criteria: ['fail', 'not_assessed'] });
    expect(verdict).to.deep.include({ outcome: 'refunded', award: null });
    expect(verdict.criteria.map(({ result }) => result)).to.deep.equal(['fail', 'not_assessed']);
  });

  it('reads a refund of a bounty without Submissions', () => {
    const text = writtenVerdictText({ outcome: 'refunded' }).replace(
      /reviewed_submissions:\n(?: .*\n)+/,
      'reviewed_submissions: []\n',
    );
    expect(issuesOf(text)).to.deep.equal([]);
  });

  const faults: [why: string, text: () => string, path: string, message: string][] = [
    ['no frontmatter', () => '## Summary\n', 'frontmatter', 'begin with'],
    [
      'another profile',
      () => changed('verdict/v0', 'verdict/v1'),
      'frontmatter.profile',
      'written-verdict/v0',
    ],
    ['unknown key', () => changed('outcome:', 'mood: good\noutcome:'), 'frontmatter.mood', 'unknown'],
    ['tag', () => changed('outcome: awarded', 'outcome: !x awarded'), 'frontmatter.outcome', 'Tags'],
    ['no criteria', () => changed('criteria:\n', 'criteria: []\nx:\n'), 'frontmatter.criteria', 'at least 1'],
    [
      'bounty id in hex',
      () => changed('bounty_id: 7', 'bounty_id: 0x7'),
      'frontmatter.bounty_id',
      'bounty id',
    ],
    [
      'other outcome',
      () => changed('outcome: awarded', 'outcome: split'),
      'frontmatter.outcome',
      'awarded, refunded',
    ],
    [
      'short commitment',
      () => changed('awarded_submission_commitment: 0x33', 'awarded_submission_commitment: 0x'),
      'frontmatter.awarded_submission_commitment',
      'bytes32',
    ],
    [
      'award without winner',
      () => changed('winner: 0x5cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb\n', ''),
      'frontmatter.winner',
      'missing: the outcome is awarded',
    ],
    [
      'award without commitment',
      () => changed(`awarded_submission_commitment: 0x${'33'.repeat(32)}\n`, ''),
      'frontmatter.awarded_submission_commitment',
      'missing',
    ],
    ['award without payout', () => changed(PAYOUT, ''), 'frontmatter.payout', 'missing'],
    [
      'refund with a winner',
      () => changed('outcome: refunded', `outcome: refunded\nwinner: ${WINNER}`, { outcome: 'refunded' }),
      'frontmatter.winner',
      'absent',
    ],
    [
      'refund with a payout',
      () => changed('outcome: refunded\n', `outcome: refunded\n${PAYOUT}`, { outcome: 'refunded' }),
      'frontmatter.payout',
      'absent',
    ],
    [
      'award of another Submission',
      () => changed(`awarded_submission_commitment: 0x33`, 'awarded_submission_commitment: 0x34'),
      'frontmatter.reviewed_submissions',
      'awarded Submission',
    ],
    [
      'award of an unreviewed winner',
      () => changed(`winner: ${WINNER.toLowerCase()}`, 'winner: 0x00000000000000000000000000000000000000b2'),
      'frontmatter.reviewed_submissions',
      'awarded Submission',
    ],
    [
      'award of what does not meet',
      () => changed('result: meets', 'result: does_not_meet'),
      'frontmatter.reviewed_submissions',
      'meets',
    ],
    [
      'unknown result',
      () => changed('result: meets', 'result: good'),
      'frontmatter.reviewed_submissions.0.result',
      'meets, does_not_meet, unopenable, ineligible',
    ],
    [
      'a Solver twice',
      () => changed('criteria:\n', `${SECOND}criteria:\n`),
      'frontmatter.reviewed_submissions.1.solver_address',
      'differ',
    ],
    [
      'criterion left out',
      () => changed('id: AC-1', 'id: AC-3'),
      'frontmatter.criteria.0.id',
      'Must be AC-1',
    ],
    ['criterion twice', () => changed('id: AC-2', 'id: AC-1'), 'frontmatter.criteria.1.id', 'Must be AC-2'],
    [
      'criterion without id',
      () => changed('id: AC-1', 'id: "1"'),
      'frontmatter.criteria.0.id',
      'acceptance criterion',
    ],
    [
      'criterion undecided',
      () => changed('result: pass', 'result: maybe'),
      'frontmatter.criteria.0.result',
      'pass, fail, not_assessed',
    ],
    ['date alone', () => changed('2026-10-01T00:00:00Z', '2026-10-01'), 'frontmatter.issued_at', 'UTC'],
    ['no summary', () => changed('## Summary', '## Sum'), 'section:Summary', 'missing'],
    ['empty summary', () => writtenVerdictText({ summary: '' }), 'section:Summary', 'empty'],
    ['no findings', () => changed('## Findings', '# Findings'), 'section:Findings', 'missing'],
  ];
  for (const [why, text, path, message] of faults) {
    it(`names: ${why}`, () => {
      const issues = issuesOf(text());
      const found = issues.filter((issue) => issue.path === path);
      expect(found, JSON.stringify(issues)).to.have.length(1);
      expect(found[0]).to.have.property('message').that.contains(message);
    });
  }

  it('names all faults at once', () => {
    const text = changed('chain_id: 31337', 'chain_id: x')
      .replace('issued_at', 'issued')
      .replace('## Findings', '## F');
    expect(issuesOf(text).map(({ path }) => path)).to.have.members([
      'frontmatter.chain_id',
      'frontmatter.issued_at',
      'frontmatter.issued',
      'section:Findings',
    ]);
  });

  it('takes 256 KiB and not one byte more', () => {
    const whole = new Uint8Array(LIMITS.documentBytes).fill(0x78);
    whole.set(writtenVerdictBytes());
    expect(parseWrittenVerdict(whole)).to.have.property('verdict');
    const longer = parseWrittenVerdict(new Uint8Array(LIMITS.documentBytes + 1).fill(0x78));
    expect(longer).to.have.nested.property('issues[0].message').that.contains('262144');
  });
});

const CONTEXT: WrittenVerdictContext = {
  chainId: 31337,
  hubAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  bountyId: 7n,
  specCommitment: `0x${'11'.repeat(32)}`,
  tokenAddress: '0x00000000000000000000000000000000000000A1',
  amount: 1_000_000n,
  feeBps: 250,
  submissionDeadline: 1_790_000_000,
  chainNow: 1_790_000_000,
  criteria: ['AC-1', 'AC-2'],
};

describe('writtenVerdictContextIssues', () => {
  it('has nothing against the right bounty', () => {
    expect(writtenVerdictContextIssues(verdictFrom(), CONTEXT)).to.deep.equal([]);
    expect(writtenVerdictContextIssues(verdictFrom(), { ...CONTEXT, criteria: undefined })).to.deep.equal([]);
    expect(
      writtenVerdictContextIssues(verdictFrom({ outcome: 'refunded' }), { ...CONTEXT, amount: 1n }),
    ).to.deep.equal([]);
  });

  const other = '0x00000000000000000000000000000000000000b2' as Address;
  const cases: [path: string, change: Partial<WrittenVerdictContext>, message: string][] = [
    ['frontmatter.chain_id', { chainId: 1 }, 'Must be 1'],
    ['frontmatter.hub_address', { hubAddress: other }, 'Hub'],
    ['frontmatter.bounty_id', { bountyId: 8n }, 'Must be 8'],
    ['frontmatter.spec_commitment', { specCommitment: `0x${'12'.repeat(32)}` }, 'spec_commitment'],
    ['frontmatter.issued_at', { chainNow: 1_789_999_999 }, 'submission deadline'],
    ['frontmatter.payout.token_address', { tokenAddress: other }, 'token'],
    ['frontmatter.payout.amount', { feeBps: 0 }, 'Must be 1000000'],
    ['frontmatter.criteria', { criteria: ['AC-1'] }, 'Must name AC-1, in'],
    ['frontmatter.criteria', { criteria: ['AC-1', 'AC-2', 'AC-3'] }, 'AC-1, AC-2, AC-3'],
  ];
  for (const [path, change, message] of cases) {
    it(`names ${path}: ${message}`, () => {
      const issues = writtenVerdictContextIssues(verdictFrom(), { ...CONTEXT, ...change });
      expect(issues.map((issue) => issue.path)).to.deep.equal([path]);
      expect(issues[0]).to.have.property('message').that.contains(message);
    });
  }
});

describe('toHubVerdict', () => {
  it('is what the Hub counts of an award', () => {
    const hub = toHubVerdict(verdictFrom({ winner: WINNER }));
    expect(hub).to.deep.include({
      outcome: 'awarded',
      winner: WINNER.toLowerCase(),
      submissionCommitment: `0x${'33'.repeat(32)}`,
    });
    expect(decodePayoutData(hub.payoutData)).to.deep.equal({
      tokenAddress: '0x00000000000000000000000000000000000000A1',
      amount: 975000n,
    });
  });

  it('is zeros for a refund', () => {
    expect(toHubVerdict(verdictFrom({ outcome: 'refunded' }))).to.deep.equal({
      outcome: 'refunded',
      winner: `0x${'0'.repeat(40)}`,
      submissionCommitment: `0x${'0'.repeat(64)}`,
      payoutData: '0x',
    });
  });
});
