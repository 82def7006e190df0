// Why a package is not sealed: nothing was sent anywhere yet.

/** What keeps a package from being sealed for a bounty. */
export type SealReason = 'bounty_not_open' | 'deadline_passed' | 'package_empty' | 'package_too_large';

/** A package that is not sealed; the message says what to do. */
export class SealError extends Error {
  readonly reason: SealReason;

  constructor(reason: SealReason, message: string) {
    super(message);
    this.name = 'SealError';
    this.reason = reason;
  }
}
