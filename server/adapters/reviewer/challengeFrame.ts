// How a challenge stands in a message to a reviewer: between two marks with a boundary that is drawn for this message
// alone. A document that was written before cannot close its own frame, whatever marks it holds.

const BOUNDARY = /^[0-9a-f]{32}$/;

/**
 * The framed document, its text unchanged.
 *
 * @param boundary 32 lower-case hex digits nobody could know when the document was written
 * @throws TypeError for any other boundary
 */
export function frameChallenge(document: string, boundary: string): string {
  if (!BOUNDARY.test(boundary)) throw new TypeError('A boundary has 32 lower-case hex digits.');
  return `${opening(boundary)}${document}${closing(boundary)}`;
}

/** The document in the first frame of a message, undefined where there is none. */
export function framedChallenge(message: string): string | undefined {
  const [mark, boundary = ''] = /<challenge-document boundary="([0-9a-f]{32})">\n/.exec(message) ?? [];
  if (mark === undefined) return undefined;
  const start = message.indexOf(mark) + mark.length;
  const end = message.lastIndexOf(closing(boundary));
  return end < start ? undefined : message.slice(start, end);
}

const opening = (boundary: string): string => `<challenge-document boundary="${boundary}">\n`;
const closing = (boundary: string): string => `\n</challenge-document boundary="${boundary}">`;
