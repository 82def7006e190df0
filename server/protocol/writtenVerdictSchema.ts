// The shape of a written Verdict's frontmatter: every scalar is text, checked by its pattern; unknown keys fail.
// Versioned by `profile`. Must never hold a rule that needs the chain.
import { chainIdText, utcTimeText } from './challengeSchema.ts';
import type { Outcome } from './hubVerdict.ts';
import { address, bountyId, bytes32, uint256 } from './schemas.ts';

/** The profile identifier of written Verdicts. */
export const WRITTEN_VERDICT_PROFILE = 'written-verdict/v0';

/** What a Guardian found of a Submission. */
export const SUBMISSION_RESULTS = ['meets', 'does_not_meet', 'unopenable', 'ineligible'] as const;

/** What a Guardian found of a criterion. */
export const CRITERION_RESULTS = ['pass', 'fail', 'not_assessed'] as const;

/** The frontmatter of a written Verdict. */
export const writtenVerdictFrontmatter = {
  type: 'object',
  additionalProperties: false,
  required: [
    'profile',
    'chain_id',
    'hub_address',
    'bounty_id',
    'spec_commitment',
    'guardian_address',
    'outcome',
    'reviewed_submissions',
    'criteria',
    'issued_at',
  ],
  properties: {
    profile: { const: WRITTEN_VERDICT_PROFILE },
    chain_id: chainIdText,
    hub_address: address,
    bounty_id: bountyId,
    spec_commitment: bytes32,
    guardian_address: address,
    outcome: { enum: ['awarded', 'refunded'] },
    winner: address,
    awarded_submission_commitment: bytes32,
    payout: {
      type: 'object',
      additionalProperties: false,
      required: ['token_address', 'amount'],
      properties: { token_address: address, amount: uint256 },
    },
    reviewed_submissions: {
      type: 'array',
      maxItems: 1000,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['solver_address', 'submission_commitment', 'result'],
        properties: {
          solver_address: address,
          submission_commitment: bytes32,
          result: { enum: SUBMISSION_RESULTS },
        },
      },
    },
    criteria: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'result'],
        properties: {
          id: {
            type: 'string',
            pattern: '^AC-[1-9][0-9]{0,2}$',
            description: 'the id of an acceptance criterion, as AC-1',
          },
          result: { enum: CRITERION_RESULTS },
        },
      },
    },
    issued_at: utcTimeText,
  },
} as const;

/** The frontmatter after its shape is checked. */
export interface WrittenVerdictFields {
  readonly chain_id: string;
  readonly hub_address: string;
  readonly bounty_id: string;
  readonly spec_commitment: string;
  readonly guardian_address: string;
  readonly outcome: Outcome;
  readonly winner?: string;
  readonly awarded_submission_commitment?: string;
  readonly payout?: { readonly token_address: string; readonly amount: string };
  readonly reviewed_submissions: readonly {
    readonly solver_address: string;
    readonly submission_commitment: string;
    readonly result: (typeof SUBMISSION_RESULTS)[number];
  }[];
  readonly criteria: readonly { readonly id: string; readonly result: (typeof CRITERION_RESULTS)[number] }[];
  readonly issued_at: string;
}
