// What went wrong with a request, in the service's own words where it answered, in honest ones where it did not
// (specification section 7). Must never pass off text of a proxy or a library as the service's own.

import type { Issue } from '../protocol/errors.ts';
import { readBytes } from './readBytes.ts';
import { retryAfterSeconds } from './retryAfter.ts';

/** Everything that a failed request says. */
export interface ApiErrorDetails {
  /** HTTP status, 0 when no answer came. */
  readonly status: number;
  /**
   * Code of the error table, or one of the SDK's own: `network_failure`, `malformed_answer`, `rpc_failure` (the user's
   * own RPC does not answer), `no_fresh_block` (this request was signed over every block that it could be).
   */
  readonly code: string;
  readonly message: string;
  readonly issues?: readonly Issue[] | undefined;
  readonly nextAction?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** ISO 8601 UTC; only with `publication_review_limit_reached`. */
  readonly retryNotBefore?: string | undefined;
  readonly cause?: unknown;
}

const RETRYABLE_STATUSES: readonly number[] = [0, 408, 429, 502, 503, 504];
/** Failures that the specification wants tried again with a fresh signature (section 7). */
const RETRYABLE_CODES: readonly string[] = ['invalid_orchestrator_output'];
const MAX_ERROR_BYTES = 256 * 1024;

/** A request that did not succeed. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];
  readonly nextAction: string;
  readonly retryAfterSeconds: number | undefined;
  readonly retryNotBefore: string | undefined;

  constructor(details: ApiErrorDetails) {
    super(details.message, { cause: details.cause });
    this.name = 'ApiError';
    this.status = details.status;
    this.code = details.code;
    this.issues = details.issues ?? [];
    this.nextAction = details.nextAction ?? '';
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.retryNotBefore = details.retryNotBefore;
  }

  /** Whether the same request, signed anew, may succeed later. */
  get retryable(): boolean {
    return RETRYABLE_STATUSES.includes(this.status) || RETRYABLE_CODES.includes(this.code);
  }
}

/** The error of an answer that is not a success; reads its body, a bounded part of it. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  const { status } = response;
  const wait = { retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after'), Date.now()) };
  const error = readError(await readBytes(response, MAX_ERROR_BYTES).catch(() => new Uint8Array(0)));
  if (error !== undefined) return new ApiError({ status, ...wait, ...error });
  const message = `The server answered ${status} without an error of this service.`;
  return new ApiError({ status, code: 'malformed_answer', message, ...wait });
}

/** The error of a request that no answer came to. */
export function networkFailure(host: string, cause: unknown): ApiError {
  return new ApiError({ status: 0, code: 'network_failure', message: `${host} does not answer.`, cause });
}

function readError(bytes: Uint8Array): Omit<ApiErrorDetails, 'status'> | undefined {
  try {
    const { error } = JSON.parse(new TextDecoder().decode(bytes)) as { error?: Record<string, unknown> };
    if (typeof error?.code !== 'string' || typeof error.message !== 'string') return undefined;
    const { code, message, issues, next_action: nextAction, retry_not_before: retryNotBefore } = error;
    return {
      code,
      message,
      issues: Array.isArray(issues) ? issues.filter(isIssue) : [],
      ...(typeof nextAction === 'string' ? { nextAction } : {}),
      ...(typeof retryNotBefore === 'string' ? { retryNotBefore } : {}),
    };
  } catch {
    return undefined;
  }
}

function isIssue(value: unknown): value is Issue {
  const issue = value as Partial<Issue> | null;
  return typeof issue?.path === 'string' && typeof issue.message === 'string';
}
