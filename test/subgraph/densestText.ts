// The worst text for PostgreSQL's full-text search that was found: short addresses, each of which it keeps three times
// (whole, host, path). A tsvector holds at most 1 MiB, and a document that did not fit would stall the index for ever.

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** ASCII text of exactly this many bytes. */
export function densestText(byteLength: number): string {
  let text = '';
  for (let i = 0; text.length < byteLength; i += 1) {
    text += `${digits(i, 2)}.${DIGITS[10 + (Math.floor(i / 1296) % 26)]}c/${digits(i, 3)} `;
  }
  return text.slice(0, byteLength);
}

function digits(value: number, length: number): string {
  return Array.from({ length }, (_, place) => DIGITS[Math.floor(value / 36 ** place) % 36]).join('');
}
