// What a failure means to a script: 1 failed, 2 usage, 3 refused by chain state, 4 not authorized, 5 try again later.

import { ApiError } from '../sdk/apiError.ts';
import { HubError } from '../sdk/hubError.ts';
import { SealError } from '../sdk/sealError.ts';
import { TimeLockError } from '../sdk/timeLockError.ts';

/** Exit codes of every command. */
export const EXIT = { done: 0, failed: 1, usage: 2, refused: 3, unauthorized: 4, later: 5 } as const;

/** Wrong use of a command: nothing was tried. */
export class UsageError extends Error {}

/** A failure with an exit code of its own. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly nextAction: string;

  constructor(message: string, exitCode: number = EXIT.failed, nextAction = '') {
    super(message);
    this.exitCode = exitCode;
    this.nextAction = nextAction;
  }
}

/** Failures of this end's own checks of wallet and account. */
const OWN_REASONS: readonly string[] = ['wrong_chain', 'wrong_account', 'no_hub', 'unconfirmed'];

/** The exit code of a failure. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof HubError) {
    if (error.retryable) return EXIT.later;
    return OWN_REASONS.includes(error.reason) ? EXIT.failed : EXIT.refused;
  }
  if (error instanceof TimeLockError) return error.retryable ? EXIT.later : EXIT.failed;
  if (error instanceof SealError)
    return ['bounty_not_open', 'deadline_passed'].includes(error.reason) ? EXIT.refused : EXIT.failed;
  if (error instanceof ApiError) {
    if (error.status === 401 || error.status === 403) return EXIT.unauthorized;
    if (error.retryable || error.code === 'delivery_not_ready') return EXIT.later;
    // Refusals by contract state name the bounty.
    return error.issues.some(({ path }) => path === 'bounty') ? EXIT.refused : EXIT.failed;
  }
  return EXIT.failed;
}
