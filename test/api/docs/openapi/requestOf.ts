// Requests for an operation from its document alone: right values, values of its schemas, and values that break them.

import fc, { type Arbitrary } from 'fast-check';

/** A request before it is signed. */
export interface GeneratedRequest {
  readonly target: string;
  readonly body: string | undefined;
  readonly contentType: string;
}

type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
};

interface Described {
  readonly parameters: readonly { name: string; in: 'path' | 'query'; schema: object }[];
  readonly requestBody?: { readonly content: Record<string, { schema: object }> };
}

const JUNK = [
  '',
  '0',
  '-1',
  '0x',
  '0x00',
  'null',
  '..',
  '%',
  '%2e%2e',
  'ä',
  "'; DROP",
  '9'.repeat(90),
  `0x${'f'.repeat(64)}`,
];

/** A generator of requests; `known` are values that exist. */
export function requestOf(
  path: string,
  operation: Described,
  known: Readonly<Record<string, string>>,
): Arbitrary<GeneratedRequest> {
  const parameterOf = (name: string, schema: Schema): Arbitrary<string> =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(known[name] ?? '1') },
      { weight: 2, arbitrary: fromSchema(schema).map(String) },
      { weight: 1, arbitrary: fc.constantFrom(...JUNK) },
    );
  const inPath = operation.parameters.filter((one) => one.in === 'path');
  const inQuery = operation.parameters.filter((one) => one.in === 'query');
  const pathValues = fc.tuple(...inPath.map(({ name, schema }) => parameterOf(name, schema)));
  const queryValues = fc.tuple(
    ...inQuery.map(({ name, schema }) =>
      fc.option(
        parameterOf(name, schema).map((value) => `${name}=${encodeURIComponent(value)}`),
        { nil: undefined },
      ),
    ),
  );
  const odd = fc.option(fc.constantFrom('unknown=1', 'limit=1&limit=2', '%ff=1'), {
    nil: undefined,
    freq: 6,
  });
  return fc.tuple(pathValues, queryValues, odd, bodyOf(operation)).map(([segments, query, more, body]) => {
    const filled = inPath.reduce(
      (text, { name }, index) => text.replace(`{${name}}`, encodeURIComponent(segments[index] as string)),
      path,
    );
    const asked = [...query, more].filter((part) => part !== undefined).join('&');
    return { target: asked === '' ? filled : `${filled}?${asked}`, ...body };
  });
}

function bodyOf({ requestBody }: Described): Arbitrary<{ body: string | undefined; contentType: string }> {
  if (requestBody === undefined) return fc.constant({ body: undefined, contentType: '' });
  const [[contentType, { schema }]] = Object.entries(requestBody.content) as [[string, { schema: Schema }]];
  const right =
    contentType === 'application/json'
      ? fromSchema(schema).map((value) => JSON.stringify(value))
      : fc.string();
  const wrong = fc.oneof(
    fc.json({ maxDepth: 3 }),
    fc.string(),
    fc.constantFrom('', '{', '[]', '"x"', '{"__proto__":{"x":1}}', `${'['.repeat(5_000)}`, '\u0000'),
  );
  const types = fc.oneof(
    { weight: 9, arbitrary: fc.constant(contentType) },
    fc.constantFrom('text/plain', 'application/json', 'x'),
  );
  return fc.record({ body: fc.oneof({ weight: 2, arbitrary: right }, wrong), contentType: types });
}

function fromSchema(schema: Schema): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, one]) => [name, fromSchema(one)]),
        ),
      );
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}), { maxLength: 3 });
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000_000 });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return schema.pattern ? fc.stringMatching(new RegExp(schema.pattern)) : fc.string({ maxLength: 50 });
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}
