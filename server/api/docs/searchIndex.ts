// Full-text search over the documentation, in memory, made once.

import MiniSearch from 'minisearch';
import type { Page } from './page.ts';
import { type Section, sectionsOf } from './sections.ts';

/** One place that matches. */
export interface Match {
  readonly section: Section;
  /** The words around the first match. */
  readonly excerpt: string;
}

const MAX_RESULTS = 20;
const EXCERPT_CHARACTERS = 280;

/** A search over these pages; results best first. */
export function searchIndex(pages: readonly Page[]): (query: string) => Match[] {
  const sections = new Map(pages.flatMap(sectionsOf).map((section) => [section.id, section]));
  const index = new MiniSearch<{ id: string; title: string; heading: string; content: string }>({
    fields: ['title', 'heading', 'content'],
    // `spec_commitment` is found as a whole and by its words.
    tokenize: (text) =>
      [...text.split(/[^\p{L}\p{N}_]+/u), ...text.split(/[^\p{L}\p{N}]+/u)].filter((word) => word !== ''),
    searchOptions: { boost: { heading: 4, title: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  index.addAll(
    [...sections.values()].map(({ id, page, heading, content }) => ({
      id,
      title: page.title,
      heading,
      content,
    })),
  );
  return (query) => {
    const strict = index.search(query);
    const found = strict.length > 0 ? strict : index.search(query, { combineWith: 'OR' });
    return found.slice(0, MAX_RESULTS).map(({ id, terms }) => {
      const section = sections.get(id as string)!;
      return { section, excerpt: excerptOf(section.content, terms) };
    });
  };
}

function excerptOf(content: string, terms: readonly string[]): string {
  const lower = content.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const from = Math.max(0, (places.length > 0 ? Math.min(...places) : 0) - 80);
  const cut = content.slice(from, from + EXCERPT_CHARACTERS).trim();
  return `${from > 0 ? '… ' : ''}${cut}${from + EXCERPT_CHARACTERS < content.length ? ' …' : ''}`;
}
