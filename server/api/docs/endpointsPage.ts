// The page `endpoints`, made from the declared routes.

import type { Parameters, Route } from '../../http/route.ts';
import { ERRORS } from '../../protocol/errors.ts';
import { errorsOf } from './openapi/errorsOf.ts';

const HEAD = `# Endpoints

> Every route of the service: who may call it, what goes in, what comes out, and which errors it can answer.

The same as OpenAPI 3.1 lies at \`/openapi.json\`. Paths are exact: any \`%\`, double slash, dot segment, trailing slash or
other case in a fixed segment is 404. Unknown query parameters and unknown keys are refused. Answers that rest on chain
facts carry \`as_of\`, the finalized block that they were read at.
`;

/** The page. */
export function endpointsPage(routes: readonly Route[]): string {
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  const parts = tags.map((tag) => {
    const sections = routes.filter((route) => route.tag === tag).map(sectionOf);
    return `\n## ${tag}\n\n${sections.join('\n')}`;
  });
  return HEAD + parts.join('');
}

function sectionOf(route: Route): string {
  const { method, route: path, summary, policy, success } = route;
  const answers = Object.entries(success).map(
    ([status, { description, contentType }]) => `- ${status}: ${description} (\`${contentType}\`)`,
  );
  return [
    `### ${method} ${path}`,
    '',
    `${summary} ${policy ? `**${policy.rule}**` : 'Public.'}`,
    '',
    ...parametersOf(route.path, 'path'),
    ...parametersOf(route.query, 'query'),
    `- Body: ${bodyOf(route)}`,
    ...answers,
    `- Errors: ${errorsOf(route)
      .map((code) => `\`${code}\` (${ERRORS[code].status})`)
      .join(', ')}`,
    '',
  ].join('\n');
}

function parametersOf(declared: Parameters, place: string): string[] {
  return Object.entries(declared).map(([name, { description, form, required }]) => {
    const need = place === 'query' && !required ? ', may be left out' : '';
    return `- \`${name}\` (${place}${need}): ${description} Must be ${form}.`;
  });
}

function bodyOf({ body }: Route): string {
  switch (body.kind) {
    case 'none':
      return 'none.';
    case 'stream':
      return `\`${body.contentType}\`, exactly the bytes that were announced.`;
    case 'json':
      return `\`application/json\`, at most ${body.maxBytes} bytes.`;
    case 'markdown':
      return `\`text/markdown\`, exact bytes in UTF-8, at most ${body.maxBytes}.`;
  }
}
