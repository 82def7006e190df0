// An answer that contradicts what the user's own RPC, the deployment table or the bytes themselves say. It is refused:
// the client acts on nothing that it could not derive itself.

import type { Issue } from '../protocol/errors.ts';

/** An answer that must not be acted on, with every contradiction. */
export class UntrustedAnswerError extends Error {
  readonly issues: readonly Issue[];

  constructor(what: string, issues: readonly Issue[]) {
    super(`${what} ${issues.map(({ message }) => message).join(' ')}`);
    this.name = 'UntrustedAnswerError';
    this.issues = issues;
  }
}

/** Collects contradictions and throws them all at once. */
export function contradictions(what: string) {
  const issues: Issue[] = [];
  return {
    /** Compares one field, texts ignoring case. */
    same(path: string, given: string | number | null, expected: string | number | null): void {
      if (folded(given) === folded(expected)) return;
      issues.push({ path, message: `${path} is ${given} and must be ${expected}.` });
    },
    /** Requires that something holds. */
    expect(holds: boolean, path: string, message: string): void {
      if (!holds) issues.push({ path, message });
    },
    /** @throws UntrustedAnswerError when anything contradicted */
    done(): void {
      if (issues.length > 0) throw new UntrustedAnswerError(what, issues);
    },
  };
}

function folded(value: string | number | null): string | number | null {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
