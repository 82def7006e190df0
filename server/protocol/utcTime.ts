// Deadlines as people read them in a challenge: ISO 8601 in UTC with whole seconds, `2026-01-02T03:04:05Z`.
// Must never accept another spelling or a date that does not exist: one instant, one text.

const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** Unix seconds of a UTC time from 1970 on, or undefined for any other text, as 30 February. */
export function parseUtcTime(text: string): number | undefined {
  if (!UTC_TIME.test(text)) return undefined;
  const milliseconds = Date.parse(text);
  if (!(milliseconds >= 0)) return undefined;
  const seconds = milliseconds / 1000;
  return formatUtcTime(seconds) === text ? seconds : undefined;
}

/** The text of whole Unix seconds between 1970 and 9999. Throws a RangeError outside of that. */
export function formatUtcTime(seconds: number): string {
  const text = new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  if (!UTC_TIME.test(text) || seconds < 0)
    throw new RangeError('Whole Unix seconds before the year 10000 are expected.');
  return text;
}
