// The pages in the order in which a newcomer reads them. `endpoints` and `errors` are made from the declarations.

/** Names of all pages. */
export const READING_ORDER = [
  'overview',
  'quick-start',
  'poster',
  'solver',
  'guardian',
  'analyst',
  'operator',
  'runbook',
  'authentication',
  'endpoints',
  'errors',
  'challenge-document',
  'submission-envelope',
  'written-verdict',
  'verification-record',
  'delivery',
  'read-model',
  'verification',
  'cli',
  'sdk',
  'limits',
  'security',
] as const;
