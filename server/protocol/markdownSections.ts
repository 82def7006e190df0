// The sections of a committed Markdown document: its ATX headings of level 1 and 2 and the text below each (CommonMark
// 4.2), headings inside fenced code (4.5) not counted. Must never render or rewrite the text.

/** One heading and what stands below it, up to the next heading of level 1 or 2. */
export interface MarkdownSection {
  readonly level: 1 | 2;
  readonly title: string;
  /** Lines below the heading, trimmed as a whole. */
  readonly text: string;
  /** The lines of `text` that are not fenced code. */
  readonly prose: readonly string[];
}

const HEADING = /^ {0,3}(#{1,2})[ \t]+(.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** The sections of a body with LF line ends, in their order; text before the first heading belongs to none. */
export function markdownSections(body: string): MarkdownSection[] {
  const sections: { level: 1 | 2; title: string; lines: string[]; prose: string[] }[] = [];
  let fence: string | undefined;
  for (const line of body.split('\n')) {
    const current = sections.at(-1);
    if (fence !== undefined) {
      current?.lines.push(line);
      if (closes(line, fence)) fence = undefined;
      continue;
    }
    fence = opening(line);
    const [, marks, rest] = HEADING.exec(line) ?? [];
    if (marks !== undefined && rest !== undefined) {
      sections.push({ level: marks.length as 1 | 2, title: headingText(rest), lines: [], prose: [] });
      continue;
    }
    current?.lines.push(line);
    if (fence === undefined) current?.prose.push(line);
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n').trim() }));
}

/** The text of a heading without the closing marks that CommonMark allows. */
function headingText(rest: string): string {
  return rest
    .trim()
    .replace(/(^|[ \t])#+$/, '')
    .trim();
}

function opening(line: string): string | undefined {
  const [, marks, info] = FENCE.exec(line) ?? [];
  // The info string of a backtick fence holds no backtick: otherwise it is inline code.
  return marks?.startsWith('`') && info?.includes('`') ? undefined : marks;
}

function closes(line: string, fence: string): boolean {
  const [, marks, rest] = FENCE.exec(line) ?? [];
  return marks !== undefined && marks[0] === fence[0] && marks.length >= fence.length && rest?.trim() === '';
}
