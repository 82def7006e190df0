import { expect } from 'chai';
import type { Address } from 'viem';
import {
  type Challenge,
  challengeContextIssues,
  parseChallenge,
  readableChallengeTerms,
} from '../../server/protocol/challenge.ts';
import { LIMITS } from '../../server/protocol/limits.ts';
import {
  CHALLENGE_BODY,
  type ChallengeDocumentFields,
  challengeBytes,
  challengeText,
} from './challengeDocument.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

function issuesOf(text: string): { path: string; message: string }[] {
  const parsed = parseChallenge(utf8(text));
  return 'issues' in parsed ? parsed.issues : [];
}

function challengeFrom(fields: ChallengeDocumentFields = {}): Challenge {
  const parsed = parseChallenge(challengeBytes(fields));
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues));
  return parsed.challenge;
}

/** The right document with one piece of text exchanged; fails when the piece is not there. */
function changed(from: string, to: string): string {
  const text = challengeText({ frontmatter: OPTIONAL });
  expect(text).to.contain(from);
  return text.replace(from, to);
}

const OPTIONAL = `keywords: [melting point, calorimetry]
license: CC-BY-4.0 OR MIT
inputs:
  - name: sample.csv
    uri: https://example.org/sample.csv
    sha256: ${'ab'.repeat(32)}
    byte_length: 1024
limits:
  packed_bytes: 1000000
  extracted_bytes: 9000000000`;

describe('parseChallenge', () => {
  it('reads a small document', () => {
    expect(challengeFrom({ hubAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3' })).to.deep.equal({
      title: 'Melting point of sample 7',
      summary: 'Find the melting point of an organic sample.',
      chainId: 31337,
      hubAddress: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
      posterAddress: '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
      reward: { tokenAddress: '0x00000000000000000000000000000000000000a1', amount: 1000000n },
      submissionDeadline: 1_790_000_000,
      judgingDeadlineAt: 1_790_100_000,
      settlementTimeoutAt: 1_790_200_000,
      keywords: [],
      license: undefined,
      inputs: [],
      limits: { packedBytes: LIMITS.packedBytes, extractedBytes: LIMITS.extractedBytes },
      criteria: [
        { id: 'AC-1', text: 'The reported temperature carries an uncertainty of at most 0.5 K.' },
        { id: 'AC-2', text: 'The raw readings of at least three runs are included.' },
      ],
    });
  });

  it('reads everything optional; the smaller limit wins', () => {
    expect(challengeFrom({ frontmatter: OPTIONAL })).to.deep.include({
      keywords: ['melting point', 'calorimetry'],
      license: 'CC-BY-4.0 OR MIT',
      inputs: [
        {
          name: 'sample.csv',
          uri: 'https://example.org/sample.csv',
          sha256: 'ab'.repeat(32),
          byteLength: 1024,
        },
      ],
      limits: { packedBytes: 1_000_000, extractedBytes: LIMITS.extractedBytes },
    });
    expect(challengeFrom({ frontmatter: 'limits: {extracted_bytes: 5}' }).limits).to.deep.equal({
      packedBytes: LIMITS.packedBytes,
      extractedBytes: 5,
    });
  });

  it('keeps an amount above 2^53 exactly', () => {
    const amount = 2n ** 256n - 1n;
    expect(challengeFrom({ amount: String(amount) }).reward.amount).to.equal(amount);
  });

  it('reads the same from CRLF, and further sections do not disturb', () => {
    const text = challengeText({ body: `## Background\n\nLong ago.\n${CHALLENGE_BODY}\n## Remarks\n` });
    expect(parseChallenge(utf8(text.replaceAll('\n', '\r\n')))).to.deep.equal(parseChallenge(utf8(text)));
    expect(issuesOf(text)).to.deep.equal([]);
  });

  const faults: [why: string, text: () => string, path: string, message: string][] = [
    ['no frontmatter', () => '# Title\n', 'frontmatter', 'begin with'],
    [
      'another profile',
      () => changed('challenge/v0', 'challenge/v1'),
      'frontmatter.profile',
      'scientific-bounty-challenge/v0',
    ],
    ['no title', () => changed('title: Melting', 'titel: Melting'), 'frontmatter.title', 'missing'],
    ['unknown key', () => changed('title: Melting', 'x: y\ntitle: Melting'), 'frontmatter.x', 'unknown'],
    [
      'duplicate key',
      () => changed('chain_id: 31337', 'chain_id: 31337\nchain_id: 1'),
      'frontmatter.chain_id',
      'twice',
    ],
    ['chain id 0', () => changed('chain_id: 31337', 'chain_id: 0'), 'frontmatter.chain_id', 'chain id'],
    [
      'chain id in hex',
      () => changed('chain_id: 31337', 'chain_id: 0x7a69'),
      'frontmatter.chain_id',
      'chain id',
    ],
    ['bad checksum', () => changed('0x19e7e3', '0x19E7e3'), 'frontmatter.poster_address', 'address'],
    [
      'zero Hub',
      () => challengeText({ hubAddress: `0x${'0'.repeat(40)}` }),
      'frontmatter.hub_address',
      'zero',
    ],
    [
      'zero Poster',
      () => challengeText({ posterAddress: `0x${'0'.repeat(40)}` }),
      'frontmatter.poster_address',
      'zero',
    ],
    [
      'zero token',
      () => challengeText({ tokenAddress: `0x${'0'.repeat(40)}` }),
      'frontmatter.reward.token_address',
      'zero',
    ],
    [
      'reward as text',
      () =>
        changed(
          'reward:\n  token_address: 0x00000000000000000000000000000000000000a1\n  amount: 1000000',
          'reward: 1',
        ),
      'frontmatter.reward',
      'object',
    ],
    [
      'reward without amount',
      () => changed('  amount: 1000000\n', ''),
      'frontmatter.reward.amount',
      'missing',
    ],
    ['amount zero', () => challengeText({ amount: '0' }), 'frontmatter.reward.amount', 'more than zero'],
    [
      'amount with a point',
      () => challengeText({ amount: '1.0' }),
      'frontmatter.reward.amount',
      'decimal digits',
    ],
    [
      'amount with an underscore',
      () => challengeText({ amount: '1_000' }),
      'frontmatter.reward.amount',
      'decimal digits',
    ],
    [
      'amount 2^256',
      () => challengeText({ amount: String(2n ** 256n) }),
      'frontmatter.reward.amount',
      '2^256',
    ],
    [
      'a date',
      () => changed('submission_deadline: 2026-09-21T14:13:20Z', 'submission_deadline: 2026-09-21'),
      'frontmatter.submission_deadline',
      'UTC',
    ],
    [
      'judging before submission',
      () => challengeText({ judgingDeadlineAt: 1_789_999_999 }),
      'frontmatter.judging_deadline_at',
      'after submission_deadline',
    ],
    [
      'judging at submission',
      () => challengeText({ judgingDeadlineAt: 1_790_000_000 }),
      'frontmatter.judging_deadline_at',
      'after submission_deadline',
    ],
    [
      'timeout at judging',
      () => challengeText({ settlementTimeoutAt: 1_790_100_000 }),
      'frontmatter.settlement_timeout_at',
      'after judging_deadline_at',
    ],
    [
      'keyword twice',
      () => changed('[melting point, calorimetry]', '[a, a]'),
      'frontmatter.keywords',
      'repetitions',
    ],
    ['keywords as text', () => changed('[melting point, calorimetry]', 'a'), 'frontmatter.keywords', 'array'],
    ['licence', () => changed('CC-BY-4.0 OR MIT', '"CC BY; 4"'), 'frontmatter.license', 'SPDX'],
    [
      'input without digest',
      () => changed(`    sha256: ${'ab'.repeat(32)}\n`, ''),
      'frontmatter.inputs.0.sha256',
      'missing',
    ],
    [
      'input digest with 0x',
      () => changed('sha256: abab', 'sha256: 0xabab'),
      'frontmatter.inputs.0.sha256',
      'SHA-256',
    ],
    [
      'relative input',
      () => changed('https://example.org/sample.csv', 'sample.csv'),
      'frontmatter.inputs.0.uri',
      'URI',
    ],
    [
      'input of length 0',
      () => changed('byte_length: 1024', 'byte_length: 0'),
      'frontmatter.inputs.0.byte_length',
      'bytes',
    ],
    [
      'input twice',
      () =>
        changed(
          'inputs:\n',
          `inputs:\n  - {name: sample.csv, uri: "x:y", sha256: ${'00'.repeat(32)}, byte_length: 1}\n`,
        ),
      'frontmatter.inputs.1.name',
      'differ',
    ],
    [
      'limit 0',
      () => changed('packed_bytes: 1000000', 'packed_bytes: 0'),
      'frontmatter.limits.packed_bytes',
      'bytes',
    ],
    [
      'unknown limit',
      () => changed('  packed_bytes', '  files: 1\n  packed_bytes'),
      'frontmatter.limits.files',
      'unknown',
    ],
    ['no heading', () => changed('# Melting point of sample 7', 'Melting point'), 'section:#', 'missing'],
    [
      'another heading',
      () => changed('# Melting', '# Boiling'),
      'section:Boiling point of sample 7',
      'equal the title',
    ],
    [
      'two headings',
      () => challengeText({ body: `${CHALLENGE_BODY}\n# Melting point of sample 7\n` }),
      'section:Melting point of sample 7',
      'one heading',
    ],
    [
      'heading after a section',
      () => changed('# Melting point of sample 7', '## Before\n\n# Melting point of sample 7'),
      'section:Melting point of sample 7',
      'first',
    ],
    ['no task', () => changed('## Task', '## Tasks'), 'section:Task', 'missing'],
    ['task of level 3', () => changed('## Task', '### Task'), 'section:Task', 'missing'],
    ['no deliverables', () => changed('## Deliverables', '## Delivery'), 'section:Deliverables', 'missing'],
    [
      'empty task',
      () => changed('Measure the melting point of the supplied sample at 101325 Pa.', ''),
      'section:Task',
      'empty',
    ],
    [
      'two tasks',
      () => challengeText({ body: `${CHALLENGE_BODY}\n## Task\n\nmore\n` }),
      'section:Task',
      'twice',
    ],
    [
      'no criteria',
      () => changed('## Acceptance criteria', '## Criteria'),
      'section:Acceptance criteria',
      'missing',
    ],
    ['criteria out of order', () => changed('AC-1', 'AC-3'), 'section:Acceptance criteria', 'AC-3'],
  ];
  for (const [why, text, path, message] of faults) {
    it(`names: ${why}`, () => {
      const issues = issuesOf(text());
      const found = issues.filter((issue) => issue.path === path);
      expect(found, JSON.stringify(issues)).to.have.length(1);
      expect(found[0]).to.have.property('message').that.contains(message);
    });
  }

  it('counts characters of a line, and takes none around or within that break it', () => {
    const title = (text: string) =>
      issuesOf(challengeText({ title: JSON.stringify(text) })).filter(
        ({ path }) => path === 'frontmatter.title',
      );
    for (const good of ['T', '😀'.repeat(200), 'Größe: 5 µm', 'a b'])
      expect(title(good), good).to.deep.equal([]);
    for (const bad of ['', ' T', 'T ', 'a\nb', 'a\u2028b', 'a\u0007b', 'x'.repeat(201)]) {
      expect(title(bad), bad).to.have.length(1);
    }
  });

  it('names all faults at once', () => {
    const text = changed('amount: 1000000', 'amount: -5')
      .replace('chain_id: 31337', 'chain_id: !x 1')
      .replace('## Task', '## Tusk')
      .replace('AC-1', 'AC-9');
    expect(issuesOf(text).map(({ path }) => path)).to.have.members([
      'frontmatter.chain_id',
      'frontmatter.reward.amount',
      'section:Task',
      'section:Acceptance criteria',
    ]);
  });

  it('takes 256 KiB and not one byte more', () => {
    const start = challengeBytes();
    const whole = new Uint8Array(LIMITS.documentBytes).fill(0x78);
    whole.set(start);
    expect(parseChallenge(whole)).to.have.property('challenge');
    expect(parseChallenge(new Uint8Array(LIMITS.documentBytes + 1).fill(0x78))).to.deep.equal({
      issues: [{ path: '', message: 'A challenge has at most 262144 bytes.' }],
    });
  });
});

describe('challengeContextIssues', () => {
  const context = {
    chainId: 31337,
    hubAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3' as Address,
    posterAddress: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A' as Address,
    chainNow: 1_790_000_000 - 3600,
    minimumGapSeconds: 3600,
  };

  it('has nothing against the right place and time', () => {
    expect(challengeContextIssues(challengeFrom(), context)).to.deep.equal([]);
  });

  const other = '0x00000000000000000000000000000000000000b2' as Address;
  const cases: [why: string, change: Partial<typeof context>, path: string, message: string][] = [
    ['another chain', { chainId: 1 }, 'frontmatter.chain_id', 'Must be 1'],
    ['another Hub', { hubAddress: other }, 'frontmatter.hub_address', 'Hub'],
    ['another Poster', { posterAddress: other }, 'frontmatter.poster_address', 'Poster'],
    [
      'a second too late',
      { chainNow: context.chainNow + 1 },
      'frontmatter.submission_deadline',
      "the chain's clock",
    ],
  ];
  for (const [why, change, path, message] of cases) {
    it(`names: ${why}`, () => {
      const issues = challengeContextIssues(challengeFrom(), { ...context, ...change });
      expect(issues).to.have.length(1);
      expect(issues[0]).to.have.property('path', path);
      expect(issues[0]).to.have.property('message').that.contains(message);
    });
  }

  it('wants the gap before each deadline', () => {
    const tight = { judgingDeadlineAt: 1_790_003_599, settlementTimeoutAt: 1_790_007_198 };
    expect(challengeContextIssues(challengeFrom(tight), context)).to.deep.equal([
      {
        path: 'frontmatter.judging_deadline_at',
        message: 'Must be at least 3600 seconds after submission_deadline.',
      },
      {
        path: 'frontmatter.settlement_timeout_at',
        message: 'Must be at least 3600 seconds after judging_deadline_at.',
      },
    ]);
    const exact = { judgingDeadlineAt: 1_790_003_600, settlementTimeoutAt: 1_790_007_200 };
    expect(challengeContextIssues(challengeFrom(exact), context)).to.deep.equal([]);
  });

  it('is told of a document whose contract is broken elsewhere, as far as its fields can be read', () => {
    const broken = challengeText({ chainId: 1, amount: '0' }).replace(
      /^hub_address: .*$/m,
      'hub_address: none',
    );
    expect(issuesOf(broken)).to.not.deep.equal([]);
    expect(
      challengeContextIssues(readableChallengeTerms(utf8(broken)), { ...context, posterAddress: other }),
    ).to.deep.equal([
      { path: 'frontmatter.chain_id', message: "Must be 31337, this deployment's chain." },
      { path: 'frontmatter.poster_address', message: 'Must be the Poster who publishes it.' },
    ]);
    for (const nothing of [utf8(''), utf8('---\nchain_id: [1]\n---\n'), new Uint8Array([0xff])]) {
      expect(challengeContextIssues(readableChallengeTerms(nothing), context)).to.deep.equal([]);
    }
  });
});
