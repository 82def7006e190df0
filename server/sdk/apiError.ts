// What went wrong with a request, in the service's own words where it answered, in honest ones where it did not.

import type { Issue } from '../protocol/errors.ts';

/** Everything that a failed request says. */
export interface ApiErrorDetails {
  /** HTTP status, 0 when no answer came. */
  readonly status: number;
  /** Code of the error table, or `network_failure`, `malformed_answer`, `wait_exceeded`. */
  readonly code: string;
  readonly message: string;
  readonly issues?: readonly Issue[];
  readonly nextAction?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

const RETRYABLE_STATUSES: readonly number[] = [0, 429, 502, 503];

/** A request that did not succeed. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];
  readonly nextAction: string;
  readonly retryAfterSeconds: number | undefined;

  constructor({
    status,
    code,
    message,
    issues = [],
    nextAction = '',
    retryAfterSeconds,
    cause,
  }: ApiErrorDetails) {
    super(message, { cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.issues = issues;
    this.nextAction = nextAction;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the same request, signed anew, may succeed later. */
  get retryable(): boolean {
    return RETRYABLE_STATUSES.includes(this.status);
  }
}

/** The error of an answer that is not a success; reads its body. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const { status } = response;
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const wait = Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {};
  const error = readError(await response.text().catch(() => ''));
  if (error === undefined) {
    const message = `The server answered ${status} without an error of this service.`;
    return new ApiError({ status, code: 'malformed_answer', message, ...wait });
  }
  const { code, message, issues, next_action: nextAction } = error;
  return new ApiError({ status, code, message, issues, nextAction, ...wait });
}

interface WireError {
  readonly code: string;
  readonly message: string;
  readonly issues: readonly Issue[];
  readonly next_action: string;
}

function readError(text: string): WireError | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: Partial<WireError> };
    if (typeof error?.code !== 'string' || typeof error.message !== 'string') return undefined;
    const { code, message, issues, next_action } = error;
    return {
      code,
      message,
      issues: Array.isArray(issues) ? issues : [],
      next_action: String(next_action ?? ''),
    };
  } catch {
    return undefined;
  }
}
