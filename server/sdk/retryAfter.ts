// The Retry-After header (RFC 9110 section 10.2.3): seconds, or the date of a proxy between.

const SECONDS = /^\d{1,9}$/;

/**
 * How many seconds a server asks to wait, rounded up, at least 1; undefined when it does not say or says nonsense.
 * Never 0: a client that takes it at its word would never stop.
 *
 * @param now Milliseconds since the epoch, for dates
 */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Math.max(1, Number(text));
  // Only what looks like an HTTP date: Date.parse reads far too much.
  const date = /^[A-Z][a-z]{2}, .+ GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(1, Math.ceil((date - now) / 1_000));
}
