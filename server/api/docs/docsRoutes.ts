// The documentation surfaces over the declared routes, themselves among what they document.

import type { Route } from '../../http/route.ts';
import { corpusOf } from './corpus.ts';
import { pageAddress } from './docsAddress.ts';
import { openApiRoute } from './openApi.ts';
import type { Page } from './page.ts';
import { rawPageRoute } from './rawPage.ts';
import { searchRoute } from './search.ts';
import { textRoute } from './textRoute.ts';

/** All documentation routes. @throws Error when a page is missing or malformed */
export function docsRoutes(declared: readonly Route[]): readonly Route[] {
  const pages = (): readonly Page[] => corpus;
  const all: Route[] = [
    textRoute({
      path: '/llms.txt',
      operationId: 'getPageIndex',
      summary: 'Every page with its title, description and address, in reading order.',
      contentType: 'text/plain',
      render: (base) => index(corpus, base),
    }),
    textRoute({
      path: '/llms-full.txt',
      operationId: 'getWholeCorpus',
      summary: 'The whole documentation as one Markdown document.',
      contentType: 'text/plain',
      render: () =>
        corpus
          .map(({ markdown }) => markdown.trimEnd())
          .join('\n\n---\n\n')
          .concat('\n'),
    }),
    rawPageRoute(pages),
    searchRoute(pages),
  ];
  all.push(openApiRoute([...declared, ...all]));
  const corpus = corpusOf([...declared, ...all]);
  return all;
}

function index(pages: readonly Page[], base: string): string {
  const lines = pages.map(
    ({ name, title, description }) => `- [${title}](${pageAddress(base, name)}): ${description}`,
  );
  const about = pages[0]?.description ?? '';
  return `# Bounty Settlement Service\n\n> ${about}\n\n${lines.join('\n')}\n`;
}
