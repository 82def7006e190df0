// A right challenge document for tests, with what a test wants to be different. The text is built line by line, so
// that a test can also break single lines of it.
import { formatUtcTime } from '../../server/protocol/utcTime.ts';

/** What a test may set; the rest is filled in. Times are Unix seconds. */
export interface ChallengeDocumentFields {
  readonly title?: string;
  readonly chainId?: number;
  readonly hubAddress?: string;
  readonly posterAddress?: string;
  readonly tokenAddress?: string;
  readonly amount?: string;
  readonly submissionDeadline?: number;
  readonly judgingDeadlineAt?: number;
  readonly settlementTimeoutAt?: number;
  /** Further lines of frontmatter. */
  readonly frontmatter?: string;
  /** Everything below the heading. */
  readonly body?: string;
}

/** The body that a document has unless a test gives another. */
export const CHALLENGE_BODY = `
## Task

Measure the melting point of the supplied sample at 101325 Pa.

## Acceptance criteria

- AC-1: The reported temperature carries an uncertainty of at most 0.5 K.
- AC-2: The raw readings of at least three runs are included.

## Deliverables

One CSV file with the readings and a report of at most two pages.
`;

/** The Markdown of a challenge. */
export function challengeText(fields: ChallengeDocumentFields = {}): string {
  const title = fields.title ?? 'Melting point of sample 7';
  const hub = fields.hubAddress ?? '0x5fbdb2315678afecb367f032d93f642f64180aa3';
  const lines = [
    '---',
    'profile: scientific-bounty-challenge/v0',
    `title: ${title}`,
    'summary: Find the melting point of an organic sample.',
    `chain_id: ${fields.chainId ?? 31337}`,
    `hub_address: ${hub}`,
    `poster_address: ${fields.posterAddress ?? '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a'}`,
    'reward:',
    `  token_address: ${fields.tokenAddress ?? '0x00000000000000000000000000000000000000a1'}`,
    `  amount: ${fields.amount ?? '1000000'}`,
    `submission_deadline: ${formatUtcTime(fields.submissionDeadline ?? 1_790_000_000)}`,
    `judging_deadline_at: ${formatUtcTime(fields.judgingDeadlineAt ?? 1_790_100_000)}`,
    `settlement_timeout_at: ${formatUtcTime(fields.settlementTimeoutAt ?? 1_790_200_000)}`,
    ...(fields.frontmatter === undefined ? [] : [fields.frontmatter]),
    '---',
    `# ${title}`,
    fields.body ?? CHALLENGE_BODY,
  ];
  return lines.join('\n');
}

/** The bytes of a challenge. */
export function challengeBytes(fields: ChallengeDocumentFields = {}): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(challengeText(fields)));
}
