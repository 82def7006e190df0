// A JSON body with a closed schema: unknown keys fail, every fault at once, each at its JSON Pointer.

import type { Issue } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { shapeCheck } from '../protocol/shapeCheck.ts';
import type { BodyRule } from './route.ts';

/**
 * Declare a JSON body.
 *
 * @param schema A closed JSON Schema
 * @param issuesOf Checks beyond the shape, run only once the shape is right
 */
export function jsonBody<Body>(
  schema: object,
  issuesOf: (body: Body) => readonly Issue[] = () => [],
): BodyRule<Body> {
  const shapeIssues = shapeCheck(schema);
  return {
    kind: 'json',
    maxBytes: LIMITS.jsonBodyBytes,
    schema,
    parse(bytes) {
      let value: unknown;
      try {
        value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
      } catch {
        return { issues: [{ path: '', message: 'The body must be JSON in UTF-8.' }] };
      }
      const issues = shapeIssues(value);
      if (issues.length > 0) return { issues };
      const further = issuesOf(value as Body);
      return further.length > 0 ? { issues: further } : { value: value as Body };
    },
  };
}
