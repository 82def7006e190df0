// GET /raw/{page}: one page as Markdown, with or without `.md`. Only names of the corpus exist: no path leads to a file.

import { text } from '../../http/parameter.ts';
import { type Route, route } from '../../http/route.ts';
import { ServiceError } from '../../protocol/errors.ts';
import type { Page } from './page.ts';
import { textReply } from './textRoute.ts';

const MAX_NAME = 80;

/** The route over these pages. */
export function rawPageRoute(pages: () => readonly Page[]): Route {
  return route({
    method: 'GET',
    route: '/raw/{page}',
    operationId: 'getPage',
    tag: 'Documentation',
    summary: 'One page of the documentation as Markdown.',
    path: { page: text('The page; `.md` at the end may be left out.', 'the name of a page', '', MAX_NAME) },
    query: {},
    invalid: 'not_found',
    body: { kind: 'none' },
    limited: false,
    success: {
      200: {
        description: 'The page.',
        contentType: 'text/markdown',
        headers: { ETag: 'Names these bytes.' },
      },
    },
    errors: ['not_found'],
    async handle({ path }) {
      const name = path.page.replace(/\.md$/, '');
      const page = pages().find((candidate) => candidate.name === name);
      if (page === undefined) throw new ServiceError('not_found');
      return textReply(page.markdown, 'text/markdown');
    },
  });
}
