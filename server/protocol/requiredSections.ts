// Which sections a committed document must have, once each and not empty (challenge and written Verdict contracts).
// Must never forbid further sections: what else the author writes is theirs.
import type { Issue } from './errors.ts';
import type { MarkdownSection } from './markdownSections.ts';

/** The one section of level 2 with this title, or issues at `section:<title>` when it is missing, repeated or empty. */
export function requiredSection(
  sections: readonly MarkdownSection[],
  title: string,
): { section: MarkdownSection } | { issues: Issue[] } {
  const [section, second] = sections.filter(
    (candidate) => candidate.level === 2 && candidate.title === title,
  );
  const path = `section:${title}`;
  if (section === undefined) return { issues: [{ path, message: `The section "## ${title}" is missing.` }] };
  if (second !== undefined)
    return { issues: [{ path, message: `The section "## ${title}" is given twice.` }] };
  if (section.text === '') return { issues: [{ path, message: `The section "## ${title}" is empty.` }] };
  return { section };
}
