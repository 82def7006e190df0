// Text that others wrote (challenges, names, an API's words) as it may go to a terminal: what would move its cursor, clear
// it or reorder a line is shown instead of obeyed. Never used on data that other programs read, except without loss.

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The text with each control character as `\u001b`; line breaks and tabs stay. */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROL, escaped);
}

/** A value as one line of JSON that says the same and holds no control character. */
export function jsonLine(value: object): string {
  return `${JSON.stringify(value).replace(CONTROL, escaped)}\n`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
