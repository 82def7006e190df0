// The one place that says 403.

import { ServiceError } from '../../protocol/errors.ts';

/** @throws ServiceError 403 `forbidden` with the rule that was not met */
export function requireWallet(allowed: boolean, rule: string): void {
  if (!allowed) throw new ServiceError('forbidden', { message: rule });
}
