// Shapes at write boundaries: JSON schema in, issues out (specification section 2: unknown keys fail, no lenient mode).
// Must never coerce, fill in defaults or show a library's own error text.
import { Ajv, type ErrorObject, type SchemaObject } from 'ajv';
import { parseAddress } from './accountAddress.ts';
import { decodeBase64Url } from './base64Url.ts';
import type { Issue } from './errors.ts';
import { parseUtcTime } from './utcTime.ts';
import { readX25519PublicKey } from './x25519Key.ts';

/** Everything that is wrong with a value's shape, each at its JSON Pointer; empty when nothing is. */
export type ShapeCheck = (value: unknown) => Issue[];

/** At most so many issues are told about one value. */
export const MAX_ISSUES = 50;

const MAX_UINT256 = 2n ** 256n - 1n;

const FORMATS = {
  address: (text: string) => parseAddress(text) !== undefined,
  uint256: isUint256,
  base64url32: (text: string) => decodeBase64Url(text)?.length === 32,
  base64url80: (text: string) => decodeBase64Url(text)?.length === 80,
  'utc-time': (text: string) => parseUtcTime(text) !== undefined,
  'x25519-public-key': (text: string) => 'key' in readX25519PublicKey(text),
};

/** True for decimal digits without leading zeros that name an integer below 2^256. */
export function isUint256(text: string): boolean {
  return /^(?:0|[1-9][0-9]{0,77})$/.test(text) && BigInt(text) <= MAX_UINT256;
}

const ajv = new Ajv({
  strict: true,
  allErrors: true,
  verbose: true,
  ownProperties: true,
  formats: FORMATS,
});

/**
 * Compiles a JSON schema (draft-07, leaves of schemas.ts) into a check. Throws when the schema itself is not strict.
 */
export function shapeCheck(schema: SchemaObject): ShapeCheck {
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return [];
    const issues = new Map<string, Issue>();
    for (const error of validate.errors!) {
      const issue = issueOf(error);
      const key = JSON.stringify(issue);
      if (issues.size < MAX_ISSUES) issues.set(key, issue);
    }
    return [...issues.values()];
  };
}

function issueOf(error: ErrorObject): Issue {
  const { keyword, params, instancePath, parentSchema } = error;
  switch (keyword) {
    case 'required':
      return { path: pointer(instancePath, params.missingProperty), message: 'This field is missing.' };
    case 'additionalProperties':
      return { path: pointer(instancePath, params.additionalProperty), message: 'This key is unknown.' };
    case 'const':
      return { path: instancePath, message: `Must be ${JSON.stringify(params.allowedValue)}.` };
    case 'enum':
      return { path: instancePath, message: `Must be one of ${params.allowedValues.join(', ')}.` };
    default:
      return { path: instancePath, message: `Must be ${parentSchema?.description ?? expectation(error)}.` };
  }
}

function expectation({ keyword, params, schema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `of type ${schema}`;
    case 'minLength':
    case 'minItems':
      return `at least ${params.limit} long`;
    case 'maxLength':
    case 'maxItems':
      return `at most ${params.limit} long`;
    case 'uniqueItems':
      return 'free of repetitions';
    default:
      return 'as the schema says';
  }
}

function pointer(parent: string, key: string): string {
  return `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
