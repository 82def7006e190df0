// How a failure is told: what is wrong, each issue on a line of its own, and what to do next; never a stack, never a secret.

import { BaseError } from 'viem';
import type { Issue } from '../protocol/errors.ts';
import { ApiError } from '../sdk/apiError.ts';
import { CommandError, EXIT, exitCodeOf, UsageError } from './exitCode.ts';
import { printable } from './printable.ts';

/** A failure as it is shown. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly issues: readonly Issue[];
  readonly next_action: string;
  /** ISO 8601 UTC: when the service takes another attempt, where it says so. */
  readonly retry_not_before?: string;
  /** How long the service asks to wait, where it says so. */
  readonly retry_after_seconds?: number;
}

const NEXT: Readonly<Record<number, string>> = {
  [EXIT.usage]: 'Run the command with --help.',
  [EXIT.refused]: 'Read the bounty again: the chain does not allow this now.',
  [EXIT.later]: 'Try again later.',
};

/** What to tell of a failure. */
export function failureOf(error: unknown): Failure {
  const nextAction = NEXT[exitCodeOf(error)] ?? '';
  if (error instanceof ApiError) {
    const { code, message, issues, retryNotBefore, retryAfterSeconds } = error;
    return {
      code,
      message,
      issues,
      next_action: error.nextAction || nextAction,
      ...(retryNotBefore === undefined ? {} : { retry_not_before: retryNotBefore }),
      ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    };
  }
  if (error instanceof CommandError)
    return {
      code: 'failed',
      message: error.message,
      issues: [],
      next_action: error.nextAction || nextAction,
    };
  if (error instanceof UsageError)
    return { code: 'usage', message: error.message, issues: [], next_action: nextAction };
  const { reason, issues } = error as { reason?: unknown; issues?: unknown };
  return {
    code: typeof reason === 'string' ? reason : 'failed',
    message: messageOf(error),
    issues: Array.isArray(issues) ? (issues as Issue[]) : [],
    next_action: nextAction,
  };
}

/** The lines that people read. */
export function failureText(failure: Failure): string {
  const {
    message,
    issues,
    next_action: next,
    retry_not_before: notBefore,
    retry_after_seconds: after,
  } = failure;
  const lines = [
    `error: ${message}`,
    ...issues.map(({ path, message: what }) => `  ${path || '(document)'}: ${what}`),
  ];
  if (notBefore !== undefined) lines.push(`not before: ${notBefore}`);
  else if (after !== undefined) lines.push(`not before: ${after} s from now`);
  if (next !== '') lines.push(`next: ${next}`);
  return `${printable(lines.join('\n'))}\n`;
}

function messageOf(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code))
    return `The file system answers ${code}${path ? ` for ${path}` : ''}.`;
  return message ?? 'An unknown failure.';
}
