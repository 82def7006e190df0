// One declared route as an OpenAPI operation.

import type { Parameters, Route } from '../../../http/route.ts';
import { errorAnswers } from './errorAnswers.ts';
import { errorsOf } from './errorsOf.ts';

/** The name of the security scheme in the document. */
export const SECURITY_SCHEME = 'ServiceApproval';

/** The operation of a route. */
export function operationOf(route: Route): object {
  const { operationId, tag, summary, policy } = route;
  return {
    operationId,
    tags: [tag],
    summary,
    description: policy ? `${summary} ${policy.rule}` : `${summary} Needs no signature.`,
    security: policy ? [{ [SECURITY_SCHEME]: [] }] : [],
    parameters: [...parametersOf('path', route.path), ...parametersOf('query', route.query)],
    ...bodyOf(route),
    responses: { ...answersOf(route), ...errorAnswers(errorsOf(route)) },
  };
}

function parametersOf(place: 'path' | 'query', declared: Parameters): object[] {
  return Object.entries(declared).map(([name, { description, schema, required, form }]) => ({
    name,
    in: place,
    required: place === 'path' || required,
    description: `${description} Must be ${form}.`,
    schema,
  }));
}

function bodyOf({ body }: Route): object {
  switch (body.kind) {
    case 'none':
      return {};
    case 'json':
      return {
        requestBody: {
          required: true,
          description: `At most ${body.maxBytes} bytes.`,
          content: { 'application/json': { schema: body.schema } },
        },
      };
    case 'markdown':
      return {
        requestBody: {
          required: true,
          description: `Exact bytes of a Markdown document in UTF-8, at most ${body.maxBytes}.`,
          content: { 'text/markdown': { schema: { type: 'string' } } },
        },
      };
    case 'stream':
      return {
        requestBody: {
          required: true,
          description: 'Exactly the bytes that were announced.',
          content: { [body.contentType]: { schema: { type: 'string', format: 'binary' } } },
        },
      };
  }
}

function answersOf({ success, policy, method }: Route): Record<string, object> {
  const answers = Object.entries(success).map(
    ([status, { description, contentType, schema, headers = {} }]) => [
      status,
      {
        description,
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, what]) => [
            name,
            { description: what, schema: { type: 'string' } },
          ]),
        ),
        content: { [contentType]: { schema: schema ?? { type: 'string', format: 'binary' } } },
      },
    ],
  );
  const unchanged = { description: 'What If-None-Match names is still current.' };
  const canBeKnown =
    method === 'GET' && !policy && Object.values(success).some(({ headers }) => headers?.ETag);
  return { ...Object.fromEntries(answers), ...(canBeKnown ? { '304': unchanged } : {}) };
}
