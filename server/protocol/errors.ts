// The error contract: every code the service answers, with its status, default message and next action.
// Specification section 7 and the HTTP contract. Pure: knows nothing of HTTP libraries; one place writes it to the wire.

/** One thing that is wrong with the input: where (`path`) and what (`message`). */
export interface Issue {
  /** JSON Pointer for JSON bodies, `frontmatter.<key>` or `section:<heading>` for Markdown, else the parameter. */
  readonly path: string;
  readonly message: string;
}

/** The body of every error answer: `{error: ErrorObject}`. */
export interface ErrorObject {
  readonly code: ErrorCode;
  readonly message: string;
  readonly issues: readonly Issue[];
  readonly next_action: string;
  /** ISO 8601 UTC; only with `publication_review_limit_reached`. */
  readonly retry_not_before?: string;
}

interface ErrorRow {
  readonly status: number;
  readonly message: string;
  readonly nextAction: string;
}

const row = (status: number, message: string, nextAction: string): ErrorRow => ({
  status,
  message,
  nextAction,
});

const FIX_AND_SIGN = 'Correct what the issues name, sign the new request and send it again.';
const FIX = 'Correct what the issues name and send the request again.';
const RETRY_SHORTLY =
  'Wait for Retry-After, then send the request again with a fresh signature where one is needed.';

/** code -> status, message, next action. A code outside this table does not compile. */
export const ERRORS = {
  invalid_bounty_detail_request: row(400, 'The request for a bounty is not valid.', FIX),
  invalid_solver_submission: row(400, 'The Submission is not valid.', FIX_AND_SIGN),
  invalid_winning_solution_delivery: row(400, 'The delivery request is not valid.', FIX_AND_SIGN),
  invalid_written_verdict: row(400, 'The written Verdict is not valid.', FIX_AND_SIGN),
  invalid_challenge_frontmatter: row(400, 'The challenge document is not valid.', FIX_AND_SIGN),
  invalid_publication_request: row(400, 'The publication request is not valid.', FIX_AND_SIGN),
  invalid_search_request: row(400, 'The search request is not valid.', FIX),
  invalid_request: row(400, 'The request is not valid.', FIX),
  bounty_challenge_not_ready: row(
    400,
    'The readiness review asks for changes to the challenge.',
    'Change the challenge where the issues say so, approve the new file and publish it with a fresh signature.',
  ),
  unauthorized: row(
    401,
    'The request does not carry a valid approval.',
    'Take a fresh block about 3 behind the tip, sign this exact request again and send it once.',
  ),
  forbidden: row(
    403,
    'This wallet is not allowed to do this.',
    'Sign with the wallet that the action belongs to, or re-read the bounty to see who that is.',
  ),
  not_found: row(404, 'There is nothing at this path.', 'Compare the path with /openapi.json.'),
  bounty_not_found: row(404, 'The Hub has no bounty with this id.', 'Check the bounty id against the Hub.'),
  submission_not_found: row(
    404,
    'This bounty has no such Submission.',
    'Read the bounty and use one of its submission commitments.',
  ),
  written_verdict_not_found: row(
    404,
    'No written Verdict is stored under this commitment.',
    'Ask its Guardian to publish the document.',
  ),
  delivery_not_ready: row(
    404,
    'No Guardian has wrapped the key of this Submission yet.',
    'Ask a Guardian of the pinned roster to wrap the delivery key, then try again.',
  ),
  method_not_allowed: row(
    405,
    'This path does not take this method.',
    'Use one of the methods in the Allow header.',
  ),
  request_timeout: row(
    408,
    'The request was not received in time.',
    'Send the request again on a faster connection.',
  ),
  publication_review_unavailable: row(
    409,
    "This exact signed request's review already ran or is running.",
    'Sign the request again with a fresh block if you want another review.',
  ),
  upload_url_spent: row(410, 'This upload URL was already used.', 'Request a new upload URL.'),
  upload_url_expired: row(410, 'This URL has expired.', 'Request a new one.'),
  payload_too_large: row(413, 'The body is larger than this route takes.', 'Send a body within the limit.'),
  unsupported_media_type: row(
    415,
    'This route does not take this Content-Type.',
    'Send the Content-Type that the message names, without a Content-Encoding.',
  ),
  range_not_satisfiable: row(416, 'The range lies outside the bytes.', 'Ask for a range within the length.'),
  publication_review_limit_reached: row(
    429,
    'The quota of readiness reviews in 24 hours is used up.',
    'Wait until retry_not_before, then sign again and try once more.',
  ),
  rate_limited: row(429, 'Too many requests.', 'Wait for Retry-After, then go on more slowly.'),
  internal_error: row(500, 'The service failed.', 'Try again later; name the request id when you report it.'),
  bounty_challenge_content_mismatch: row(
    500,
    'The stored challenge does not hash to its commitment.',
    'Do not rely on any copy of the challenge that does not hash to spec_commitment.',
  ),
  solver_submission_content_invalid: row(
    500,
    'The stored envelope does not hash to its commitment.',
    'Ask the Solver for the envelope and compare it with the commitment.',
  ),
  invalid_orchestrator_output: row(
    500,
    'The readiness review could not be validated.',
    'Try again with a fresh signature. Do not remove requirements from the challenge to work around this.',
  ),
  orchestrator_provider_error: row(502, 'The review provider failed.', RETRY_SHORTLY),
  orchestrator_unconfigured: row(
    503,
    'This deployment has no review provider.',
    'Ask the operator to configure one, or publish through another deployment.',
  ),
  storage_unavailable: row(
    503,
    'The byte storage does not answer, or does not hold these bytes now.',
    RETRY_SHORTLY,
  ),
  service_unavailable: row(503, 'The service cannot take this request now.', RETRY_SHORTLY),
  bounty_submission_content_authority_unavailable: row(
    503,
    'Who may read this Submission cannot be established now.',
    RETRY_SHORTLY,
  ),
  bounty_projection_unavailable: row(
    503,
    'The index of Hub events does not answer correctly.',
    RETRY_SHORTLY,
  ),
  bounty_chain_state_unavailable: row(
    503,
    'The indexed Hub state has not reached a finalized block that answers this.',
    RETRY_SHORTLY,
  ),
  bounty_not_final: row(
    503,
    'The bounty is not final yet.',
    'Read the bounty again once its settlement is behind the finalized block.',
  ),
  challenge_unavailable: row(
    503,
    'The committed challenge cannot be retrieved now, and the record rests on its bytes.',
    'Read the bounty again later.',
  ),
  record_inconsistent: row(
    500,
    'The finalized events do not add up to a record.',
    'Compare the Hub with this index, and tell the operator.',
  ),
} as const satisfies Record<string, ErrorRow>;

/** Every code that the service can answer. */
export type ErrorCode = keyof typeof ERRORS;

/** What an error may say beyond its row. */
export interface ErrorDetails {
  /** Replaces the row's message; must never carry text of a library, a provider or the chain. */
  readonly message?: string;
  readonly issues?: readonly Issue[];
  /** Seconds until a retry makes sense; becomes the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** Only with `publication_review_limit_reached`: Unix seconds. */
  readonly retryNotBefore?: number;
  /** Extra response headers, as `Allow` on 405. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The original failure, for the log alone. */
  readonly cause?: unknown;
}

/** The one error class of the service: a code of the table and what is particular about this case. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? ERRORS[code].message, { cause: details.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = ERRORS[code].status;
    this.details = details;
  }
}

/** The wire form of an error, with all four fields. */
export function errorObject(code: ErrorCode, details: ErrorDetails = {}): ErrorObject {
  const { message, nextAction } = ERRORS[code];
  return {
    code,
    message: details.message ?? message,
    issues: details.issues ?? [],
    next_action: nextAction,
    ...(details.retryNotBefore === undefined
      ? {}
      : { retry_not_before: new Date(details.retryNotBefore * 1000).toISOString() }),
  };
}
