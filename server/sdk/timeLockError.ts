// What keeps a time lock shut, told apart: a round that has not come is not an outage, and neither is a forgery.

/** Why a time lock does not open. */
export type TimeLockReason =
  | 'too_early'
  | 'unreachable'
  | 'forged_beacon'
  | 'wrong_lock'
  | 'unsupported_scheme';

/** A time lock that does not open (now). */
export class TimeLockError extends Error {
  readonly reason: TimeLockReason;

  constructor(reason: TimeLockReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TimeLockError';
    this.reason = reason;
  }

  /** Whether the same call may succeed later. */
  get retryable(): boolean {
    return this.reason === 'too_early' || this.reason === 'unreachable';
  }
}
