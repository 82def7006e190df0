// GET /api/search?query=…: the documentation's search, as programs use it (specification section 4).

import { closed, TEXT } from '../../http/answerSchema.ts';
import { text } from '../../http/parameter.ts';
import { type Route, route } from '../../http/route.ts';
import { docsAddress, pageAddress } from './docsAddress.ts';
import type { Page } from './page.ts';
import { type Match, searchIndex } from './searchIndex.ts';

const MAX_QUERY = 200;
const RESULT = closed({ url: TEXT, heading: TEXT, content: TEXT, context: TEXT });

/** The route over these pages. */
export function searchRoute(pages: () => readonly Page[]): Route {
  let search: ((query: string) => Match[]) | undefined;
  return route({
    method: 'GET',
    route: '/api/search',
    operationId: 'searchDocumentation',
    tag: 'Documentation',
    summary: 'Search the documentation; the best match first.',
    path: {},
    query: { query: text('The words to find.', `a text of 1 to ${MAX_QUERY} characters`, '\\S', MAX_QUERY) },
    invalid: 'invalid_search_request',
    body: { kind: 'none' },
    limited: false,
    success: {
      200: {
        description: 'Matches, at most 20; an empty array when nothing matches.',
        contentType: 'application/json',
        schema: { type: 'array', items: RESULT },
      },
    },
    errors: [],
    async handle({ query }, { config }) {
      search ??= searchIndex(pages());
      const base = docsAddress(config);
      const json = search(query.query).map(({ section: { page, heading }, excerpt }) => ({
        url: pageAddress(base, page.name),
        heading,
        content: excerpt,
        context: `${page.title}: ${page.description}`,
      }));
      return { status: 200, json };
    },
  });
}
