// The whole documentation: pages that are written, and pages that are made from the routes and the error table, so that
// they cannot say anything else than the code does.

import { readFileSync } from 'node:fs';
import type { Route } from '../../http/route.ts';
import { endpointsPage } from './endpointsPage.ts';
import { errorsPage } from './errorsPage.ts';
import { type Page, readPage } from './page.ts';
import { READING_ORDER } from './readingOrder.ts';

/** All pages in reading order. @throws Error when a page is missing or malformed: the process must not start then */
export function corpusOf(routes: readonly Route[]): readonly Page[] {
  const made: Readonly<Record<string, () => string>> = {
    endpoints: () => endpointsPage(routes),
    errors: () => errorsPage(routes),
  };
  return READING_ORDER.map((name) => readPage(name, (made[name] ?? (() => written(name)))()));
}

function written(name: string): string {
  return readFileSync(new URL(`./corpus/${name}.md`, import.meta.url), 'utf8');
}
