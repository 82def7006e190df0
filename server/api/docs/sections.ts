// A page cut at its headings: what the search finds and shows.

import type { Page } from './page.ts';

/** A heading with what stands below it, up to the next one. */
export interface Section {
  readonly id: string;
  readonly page: Page;
  readonly heading: string;
  /** Plain text, without Markdown's signs. */
  readonly content: string;
}

const FENCE = /^```/;
const HEADING = /^#{1,4} (.+)$/;

/** The sections of a page, its beginning under the title. */
export function sectionsOf(page: Page): Section[] {
  const found: { heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of page.markdown.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const heading = isCode ? undefined : HEADING.exec(line)?.[1];
    if (heading !== undefined) found.push({ heading: plain(heading), lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found.map(({ heading, lines }, index) => ({
    id: `${page.name}#${index}`,
    page,
    heading,
    content: plain(lines.filter((line) => !FENCE.test(line)).join(' ')),
  }));
}

function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`>|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
