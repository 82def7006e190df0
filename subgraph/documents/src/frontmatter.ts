// Single fields of a document's frontmatter, read line by line: enough to know a document's kind and to list it by title.
// No YAML parser, on purpose: nothing here can throw or take more than one pass. The service reads documents in full.

const FENCE = '---';

/** The text of a top-level field on one line, or folded over indented lines below `>` or `|`; empty when there is none. */
export function frontmatterField(text: string, key: string): string {
  let at = nextLine(text, 0);
  while (at < text.length) {
    const line = lineAt(text, at);
    at = nextLine(text, at);
    if (line == FENCE) return '';
    if (!line.startsWith(key + ':')) continue;
    const value = line.slice(key.length + 1).trim();
    return value.startsWith('>') || value.startsWith('|') ? indentedText(text, at) : unquoted(value);
  }
  return '';
}

/** Whether the text begins with frontmatter that ends: a fence on the first line and on a later one. */
export function hasFrontmatter(text: string): bool {
  if (lineAt(text, 0) != FENCE) return false;
  let at = nextLine(text, 0);
  while (at < text.length) {
    if (lineAt(text, at) == FENCE) return true;
    at = nextLine(text, at);
  }
  return false;
}

function indentedText(text: string, start: i32): string {
  let at = start;
  let joined = '';
  while (at < text.length) {
    const line = lineAt(text, at);
    if (line.length > 0 && !line.startsWith(' ')) break;
    at = nextLine(text, at);
    joined += (joined.length > 0 ? ' ' : '') + line.trim();
    // More than is kept of any field; text that grows by every line is copied for every line.
    if (joined.length > 4096) break;
  }
  return joined.trim();
}

function unquoted(value: string): string {
  const last = value.length - 1;
  if (last < 1) return value;
  const mark = value.charAt(0);
  return (mark == '"' || mark == "'") && value.charAt(last) == mark ? value.slice(1, last) : value;
}

/** The line that begins at this place, without its end (LF or CRLF). */
function lineAt(text: string, start: i32): string {
  const feed = text.indexOf('\n', start);
  const end = feed < 0 ? text.length : feed;
  return end > start && text.charCodeAt(end - 1) == 0x0d
    ? text.slice(start, end - 1)
    : text.slice(start, end);
}

function nextLine(text: string, start: i32): i32 {
  const feed = text.indexOf('\n', start);
  return feed < 0 ? text.length : feed + 1;
}
