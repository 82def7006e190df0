// Shortening text without breaking a character: half of a surrogate pair is no text to graph-node, and would stop it.

/** The first UTF-16 code units of the text, one fewer when the last would be the first half of a pair. */
export function clip(text: string, units: i32): string {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units);
}
