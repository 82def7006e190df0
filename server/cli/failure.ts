// How a failure is told: what is wrong, each issue on a line of its own, and what to do next; never a stack, never a secret.

import { BaseError } from 'viem';
import type { Issue } from '../protocol/errors.ts';
import { ApiError } from '../sdk/apiError.ts';
import { CommandError, EXIT, exitCodeOf, UsageError } from './exitCode.ts';

/** A failure as it is shown. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly issues: readonly Issue[];
  readonly next_action: string;
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
    const { code, message, issues } = error;
    return { code, message, issues, next_action: error.nextAction || nextAction };
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
export function failureText({ message, issues, next_action: next }: Failure): string {
  const lines = [
    `error: ${message}`,
    ...issues.map(({ path, message: what }) => `  ${path || '(document)'}: ${what}`),
  ];
  if (next !== '') lines.push(`next: ${next}`);
  return `${lines.join('\n')}\n`;
}

function messageOf(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage;
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code))
    return `The file system answers ${code}${path ? ` for ${path}` : ''}.`;
  return message ?? 'An unknown failure.';
}
