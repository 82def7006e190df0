// The shape of a challenge's frontmatter: every scalar is text, checked by its pattern; unknown keys fail.
// The contract is versioned by `profile` (specification section 9). Must never hold a rule that needs the chain.
import { address, sha256Digest, uint256 } from './schemas.ts';

/** The profile identifier of challenges (specification section 9). */
export const CHALLENGE_PROFILE = 'scientific-bounty-challenge/v0';

/** A chain id in decimal digits. */
export const chainIdText = {
  type: 'string',
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'a chain id in decimal digits',
} as const;

/** A time that people read. */
export const utcTimeText = {
  type: 'string',
  format: 'utc-time',
  description: 'a time in UTC with whole seconds, as 2026-01-02T03:04:05Z',
} as const;

const byteLengthText = {
  type: 'string',
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'a number of bytes from 1 in decimal digits',
} as const;

const line = (maximum: number) =>
  ({
    type: 'string',
    pattern: `^(?=\\S)[^\\p{Cc}\\p{Zl}\\p{Zp}]{1,${maximum}}(?<=\\S)$`,
    description: `one line of 1 to ${maximum} characters without spaces around it`,
  }) as const;

/** The frontmatter of `bounty_challenge.md`. */
export const challengeFrontmatter = {
  type: 'object',
  additionalProperties: false,
  required: [
    'profile',
    'title',
    'summary',
    'chain_id',
    'hub_address',
    'poster_address',
    'reward',
    'submission_deadline',
    'judging_deadline_at',
    'settlement_timeout_at',
  ],
  properties: {
    profile: { const: CHALLENGE_PROFILE },
    title: line(200),
    summary: line(1000),
    chain_id: chainIdText,
    hub_address: address,
    poster_address: address,
    reward: {
      type: 'object',
      additionalProperties: false,
      required: ['token_address', 'amount'],
      properties: { token_address: address, amount: uint256 },
    },
    submission_deadline: utcTimeText,
    judging_deadline_at: utcTimeText,
    settlement_timeout_at: utcTimeText,
    keywords: { type: 'array', maxItems: 20, uniqueItems: true, items: line(50) },
    license: {
      type: 'string',
      pattern: '^[A-Za-z0-9.+:()-]+(?: [A-Za-z0-9.+:()-]+){0,20}$',
      maxLength: 200,
      description: 'an SPDX licence expression, as CC-BY-4.0, of at most 200 characters',
    },
    inputs: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'uri', 'sha256', 'byte_length'],
        properties: {
          name: line(200),
          uri: {
            type: 'string',
            pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[\\x21-\\x7e]{1,2000}$',
            description: 'an absolute URI of at most 2000 characters',
          },
          sha256: sha256Digest,
          byte_length: byteLengthText,
        },
      },
    },
    limits: {
      type: 'object',
      additionalProperties: false,
      properties: { packed_bytes: byteLengthText, extracted_bytes: byteLengthText },
    },
  },
} as const;

/** The frontmatter after its shape is checked. */
export interface ChallengeFields {
  readonly title: string;
  readonly summary: string;
  readonly chain_id: string;
  readonly hub_address: string;
  readonly poster_address: string;
  readonly reward: { readonly token_address: string; readonly amount: string };
  readonly submission_deadline: string;
  readonly judging_deadline_at: string;
  readonly settlement_timeout_at: string;
  readonly keywords?: readonly string[];
  readonly license?: string;
  readonly inputs?: readonly {
    readonly name: string;
    readonly uri: string;
    readonly sha256: string;
    readonly byte_length: string;
  }[];
  readonly limits?: { readonly packed_bytes?: string; readonly extracted_bytes?: string };
}
