// The written Verdict of one of the demo's Guardians (design of the document: written-verdict/v0).

import { type Address, getAddress, type Hex } from 'viem';

/** What a demo Guardian says. */
export interface DemoVerdict {
  readonly chainId: number;
  readonly hubAddress: Address;
  readonly bountyId: bigint;
  readonly specCommitment: Hex;
  readonly guardian: { readonly address: Address; readonly name: string };
  /** Null refunds the Poster. */
  readonly award: {
    readonly winner: Address;
    readonly submissionCommitment: Hex;
    readonly tokenAddress: Address;
    readonly amount: bigint;
  } | null;
  readonly reviewed: readonly { readonly solver: Address; readonly submissionCommitment: Hex }[];
  /** Unix seconds. */
  readonly issuedAt: number;
}

/** Its exact bytes. */
export function demoVerdict(verdict: DemoVerdict): Uint8Array<ArrayBuffer> {
  const { award, guardian } = verdict;
  const awarded = award && [
    `winner: "${getAddress(award.winner)}"`,
    `awarded_submission_commitment: "${award.submissionCommitment}"`,
    `payout:\n  token_address: "${getAddress(award.tokenAddress)}"\n  amount: "${award.amount}"`,
  ];
  const reviewed = verdict.reviewed.map(({ solver, submissionCommitment }) => {
    const meets = award !== null && submissionCommitment === award.submissionCommitment;
    return [
      `  - solver_address: "${getAddress(solver)}"`,
      `    submission_commitment: "${submissionCommitment}"`,
      `    result: ${meets ? 'meets' : 'does_not_meet'}`,
    ].join('\n');
  });
  const criteria = ['AC-1', 'AC-2', 'AC-3'].map(
    (id) => `  - id: ${id}\n    result: ${award === null && id === 'AC-1' ? 'fail' : 'pass'}`,
  );
  const issuedAt = new Date(verdict.issuedAt * 1_000).toISOString().replace('.000', '');
  const text = [
    '---',
    'profile: written-verdict/v0',
    `chain_id: ${verdict.chainId}`,
    `hub_address: "${getAddress(verdict.hubAddress)}"`,
    `bounty_id: "${verdict.bountyId}"`,
    `spec_commitment: "${verdict.specCommitment}"`,
    `guardian_address: "${getAddress(guardian.address)}"`,
    `outcome: ${award === null ? 'refunded' : 'awarded'}`,
    ...(awarded ?? []),
    'reviewed_submissions:',
    ...reviewed,
    'criteria:',
    ...criteria,
    `issued_at: ${issuedAt}`,
    '---',
    '',
    '## Summary',
    '',
    award === null ? 'The uncertainty is larger than stated.' : 'The readings support the stated value.',
    '',
    '## Findings',
    '',
    `${guardian.name} ran the program of each package on its raw readings.`,
    '',
  ].join('\n');
  return Uint8Array.from(new TextEncoder().encode(text));
}
