// Declared parameters from a path's segments and a raw query: each given exactly as declared, nothing else, or an issue.

import { isUtf8Query, queryParameters } from '../protocol/canonicalQuery.ts';
import type { Issue } from '../protocol/errors.ts';
import type { Parameters, Parsed } from './route.ts';

/**
 * Parse declared parameters.
 *
 * @param given Every name with all of its values, in order
 * @returns The values, or an issue for each that is missing, repeated, unknown or malformed
 */
export function parseParameters<Declared extends Parameters>(
  declared: Declared,
  given: ReadonlyMap<string, readonly string[]>,
): { values: Parsed<Declared> } | { issues: Issue[] } {
  const issues: Issue[] = [];
  const values: Record<string, unknown> = {};
  for (const name of given.keys()) {
    if (!Object.hasOwn(declared, name))
      issues.push({ path: name, message: 'This parameter is unknown: leave it out.' });
  }
  for (const [name, parameter] of Object.entries(declared)) {
    const texts = given.get(name) ?? [];
    if (texts.length > 1) {
      issues.push({ path: name, message: 'This parameter is given more than once: give it exactly once.' });
      continue;
    }
    const value = parameter.parse(texts[0]);
    if (value === undefined) issues.push({ path: name, message: `${name} must be ${parameter.form}.` });
    else values[name] = value;
  }
  return issues.length > 0 ? { issues } : { values: values as Parsed<Declared> };
}

/** Read a raw query; an issue when its bytes are not UTF-8: different bytes would become one replacement character. */
export function readQuery(rawQuery: string): { given: Map<string, string[]> } | { issues: Issue[] } {
  if (!isUtf8Query(rawQuery)) {
    return { issues: [{ path: 'query', message: 'The query must be percent-encoded UTF-8.' }] };
  }
  const given = new Map<string, string[]>();
  for (const [name, value] of queryParameters(rawQuery)) given.set(name, [...(given.get(name) ?? []), value]);
  return { given };
}
