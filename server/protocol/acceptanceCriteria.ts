// The acceptance criteria of a challenge: items `AC-1: …`, `AC-2: …` in ascending order, which written Verdicts judge
// one by one. Must never renumber: the ids are committed.
import type { Issue } from './errors.ts';
import type { MarkdownSection } from './markdownSections.ts';

/** One acceptance criterion. */
export interface AcceptanceCriterion {
  /** `AC-` and a number from 1. */
  readonly id: string;
  /** The first line of what is required. */
  readonly text: string;
}

/** The most criteria that a challenge may have. */
export const MAX_CRITERIA = 100;

const PATH = 'section:Acceptance criteria';
const ITEM = /^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(?:\*\*)?AC-(\d+):(?:\*\*)?(.*)$/;

/** The criteria of the section, or what is wrong with them: none, empty, out of order, with gaps, too many. */
export function readCriteria(section: MarkdownSection): { criteria: AcceptanceCriterion[]; issues: Issue[] } {
  const criteria = section.prose.flatMap((line) => {
    const [, number, text] = ITEM.exec(line) ?? [];
    return number === undefined || text === undefined ? [] : [{ id: `AC-${number}`, text: text.trim() }];
  });
  const issues: Issue[] = [];
  if (criteria.length === 0) issues.push({ path: PATH, message: 'At least one item "AC-1: …" is needed.' });
  if (criteria.length > MAX_CRITERIA) {
    issues.push({ path: PATH, message: `At most ${MAX_CRITERIA} criteria are allowed.` });
    return { criteria, issues };
  }
  criteria.forEach(({ id, text }, index) => {
    const expected = `AC-${index + 1}`;
    if (id !== expected) {
      issues.push({
        path: PATH,
        message: `Item ${id} stands where ${expected} must: number them 1, 2, 3 and so on.`,
      });
    }
    if (text === '') issues.push({ path: PATH, message: `Item ${id} says nothing.` });
  });
  return { criteria, issues };
}
