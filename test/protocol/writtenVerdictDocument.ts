// A right written Verdict for tests, with what a test wants to be different.

/** What a test may set; the rest is filled in. */
export interface WrittenVerdictDocumentFields {
  readonly chainId?: number;
  readonly hubAddress?: string;
  readonly bountyId?: string;
  readonly specCommitment?: string;
  readonly guardianAddress?: string;
  readonly outcome?: 'awarded' | 'refunded';
  readonly winner?: string;
  readonly submissionCommitment?: string;
  readonly tokenAddress?: string;
  readonly amount?: string;
  /** Results of the criteria AC-1, AC-2 and so on. */
  readonly criteria?: readonly string[];
  readonly summary?: string;
}

const WINNER = '0x5cbdd86a2fa8dc4bddd8a8f69dba48572eec07fb';

/** The Markdown of a written Verdict. */
export function writtenVerdictText(fields: WrittenVerdictDocumentFields = {}): string {
  const outcome = fields.outcome ?? 'awarded';
  const winner = fields.winner ?? WINNER;
  const commitment = fields.submissionCommitment ?? `0x${'33'.repeat(32)}`;
  const award = [
    `winner: ${winner}`,
    `awarded_submission_commitment: ${commitment}`,
    'payout:',
    `  token_address: ${fields.tokenAddress ?? '0x00000000000000000000000000000000000000a1'}`,
    `  amount: ${fields.amount ?? '975000'}`,
  ];
  const criteria = (fields.criteria ?? ['pass', 'pass']).flatMap((result, index) => [
    `  - id: AC-${index + 1}`,
    `    result: ${result}`,
  ]);
  const lines = [
    '---',
    'profile: written-verdict/v0',
    `chain_id: ${fields.chainId ?? 31337}`,
    `hub_address: ${fields.hubAddress ?? '0x5fbdb2315678afecb367f032d93f642f64180aa3'}`,
    `bounty_id: ${fields.bountyId ?? '7'}`,
    `spec_commitment: ${fields.specCommitment ?? `0x${'11'.repeat(32)}`}`,
    `guardian_address: ${fields.guardianAddress ?? '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a'}`,
    `outcome: ${outcome}`,
    ...(outcome === 'awarded' ? award : []),
    'reviewed_submissions:',
    `  - solver_address: ${winner}`,
    `    submission_commitment: ${commitment}`,
    `    result: ${outcome === 'awarded' ? 'meets' : 'does_not_meet'}`,
    'criteria:',
    ...criteria,
    'issued_at: 2026-10-01T00:00:00Z',
    '---',
    '## Summary',
    '',
    fields.summary ?? 'The readings were repeated and agree.',
    '',
    '## Findings',
    '',
    'Three runs at 101325 Pa gave 353.4 K, 353.5 K and 353.4 K.',
    '',
  ];
  return lines.join('\n');
}

/** The bytes of a written Verdict. */
export function writtenVerdictBytes(fields: WrittenVerdictDocumentFields = {}): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(writtenVerdictText(fields)));
}
