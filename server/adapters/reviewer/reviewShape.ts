// The shape of a review (specification section 4: path and message have their limits), in two readings: what the provider
// is asked for, and what is believed. Both say the same; only the second one is relied on.

import type { Issue } from '../../protocol/errors.ts';
import { shapeCheck } from '../../protocol/shapeCheck.ts';

/** Limits of one issue, in characters (specification section 8). */
export const REVIEW_LIMITS = { pathCharacters: 120, messageCharacters: 1_500, issues: 100 } as const;

/** A review as the provider writes it. */
export interface Review {
  readonly ready: boolean;
  readonly issues: readonly Issue[];
}

const closed = (properties: Record<string, object>): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const shape = (path: object, message: object, list: object): object =>
  closed({
    ready: { type: 'boolean' },
    issues: { type: 'array', ...list, items: closed({ path, message }) },
  });

const line = (maxLength: number): object => ({ type: 'string', minLength: 1, maxLength });

/**
 * What the provider is asked for. Strict output takes a subset of JSON Schema that differs between providers, and some
 * refuse any limit on lengths: the limits stand in the words.
 */
export const REQUESTED_SHAPE = shape(
  {
    type: 'string',
    description: `The topic or area of the page, at most ${REVIEW_LIMITS.pathCharacters} characters.`,
  },
  {
    type: 'string',
    description: `The concern and the requested correction, at most ${REVIEW_LIMITS.messageCharacters} characters.`,
  },
  { description: 'Empty when ready is true, otherwise each concern once.' },
);

const issuesOf = shapeCheck(
  shape(line(REVIEW_LIMITS.pathCharacters), line(REVIEW_LIMITS.messageCharacters), {
    maxItems: REVIEW_LIMITS.issues,
  }),
);

/** Whether a value is a review that says one thing: ready, or what is missing. */
export function isReview(value: unknown): value is Review {
  if (issuesOf(value).length > 0) return false;
  const { ready, issues } = value as Review;
  return ready === (issues.length === 0);
}
