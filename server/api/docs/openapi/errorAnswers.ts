// Error answers for OpenAPI: one for each status, with the codes that it can carry and what to do about each.

import { closed, TEXT } from '../../../http/answerSchema.ts';
import { ERRORS, type ErrorCode } from '../../../protocol/errors.ts';

const ISSUE = closed({
  path: {
    type: 'string',
    description:
      'JSON Pointer for JSON bodies, `frontmatter.<key>` or `section:<heading>` for Markdown, else the parameter.',
  },
  message: TEXT,
});

/** The error object with these codes; all others are told apart by `code`, never by `message`. */
function errorSchema(codes: readonly ErrorCode[]): object {
  const error = closed(
    {
      code: { type: 'string', enum: codes },
      message: { type: 'string', description: 'For people; may change.' },
      issues: { type: 'array', items: ISSUE },
      next_action: { type: 'string', description: 'What to do now.' },
      retry_not_before: {
        type: 'string',
        format: 'date-time',
        description: 'Only with `publication_review_limit_reached`.',
      },
    },
    ['retry_not_before'],
  );
  return { type: 'object', properties: { error }, required: ['error'] };
}

const RETRY_AFTER = {
  description: 'Seconds until a retry makes sense.',
  schema: { type: 'integer', minimum: 1 },
};
const CHALLENGE = { description: 'Always `Service-Approval`.', schema: TEXT };

/** `responses` for codes, by status. */
export function errorAnswers(codes: readonly ErrorCode[]): Record<string, object> {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort();
  const answerOf = (status: number): object => {
    const here = codes.filter((code) => ERRORS[code].status === status);
    const description = here
      .map((code) => `\`${code}\`: ${ERRORS[code].message} ${ERRORS[code].nextAction}`)
      .join('\n\n');
    const headers = {
      ...(status === 429 || status >= 502 ? { 'Retry-After': RETRY_AFTER } : {}),
      ...(status === 401 ? { 'WWW-Authenticate': CHALLENGE } : {}),
    };
    return { description, headers, content: { 'application/json': { schema: errorSchema(here) } } };
  };
  return Object.fromEntries(statuses.map((status) => [String(status), answerOf(status)]));
}
