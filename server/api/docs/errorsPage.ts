// The page `errors`, made from the error table.

import type { Route } from '../../http/route.ts';
import { ERRORS, type ErrorCode } from '../../protocol/errors.ts';
import { errorsOf } from './openapi/errorsOf.ts';

const HEAD = `# Errors

> Every error code with its status, what it means and what to do next.

Every error answer is \`{"error": {"code", "message", "issues", "next_action"}}\`. Program against \`code\`; \`message\` is for
people and may change. \`issues\` is a list of \`{path, message}\` and may be empty; \`path\` is a JSON Pointer for JSON bodies,
\`frontmatter.<key>\` or \`section:<heading>\` for Markdown, else the name of the parameter. \`publication_review_limit_reached\`
also carries \`retry_not_before\` (ISO 8601). 429 and most 503 carry \`Retry-After\` in seconds; 401 carries
\`WWW-Authenticate: Service-Approval\`. Each answer carries \`X-Request-Id\`: name it when you report a failure.

A 503 is never your fault and never an empty result: a neighbour of the service (chain, index, storage, database, review
provider) cannot answer now, or the chain is not final yet.
`;

/** The page. */
export function errorsPage(routes: readonly Route[]): string {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const sections = codes.map((code) => {
    const { status, message, nextAction } = ERRORS[code];
    const where = routes
      .filter((route) => errorsOf(route).includes(code))
      .map(({ operationId }) => operationId);
    const answered = where.length === routes.length ? 'every operation' : where.join(', ');
    const place =
      where.length > 0
        ? `Answered by ${answered}.`
        : 'Part of `verification_record_error`, or for paths that are no operation.';
    return `\n## ${code}\n\n${status}. ${message}\n\nNext: ${nextAction}\n\n${place}\n`;
  });
  return HEAD + sections.join('');
}
