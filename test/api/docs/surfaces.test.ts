// The documentation as its readers reach it: index, whole corpus, single pages, search; and nothing beside them.

import { expect } from 'chai';
import { READING_ORDER } from '../../../server/api/docs/readingOrder.ts';
import type { LocalApiServer } from '../../../server/local/apiServer.ts';
import { sharedServer } from '../../localStack.ts';

interface Result {
  readonly url: string;
  readonly heading: string;
  readonly content: string;
  readonly context: string;
}

describe('the documentation surfaces', function () {
  this.timeout(60_000);
  let server: LocalApiServer;

  before(async () => {
    server = await sharedServer();
  });

  const read = async (path: string) => {
    const response = await fetch(server.url + path);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  };
  const search = async (query: string) => {
    const response = await fetch(`${server.url}/api/search${query}`);
    // biome-ignore lint/suspicious/noExplicitAny: results and errors have shapes of their own.
    return { status: response.status, body: (await response.json()) as any };
  };

  it('list every page in reading order with title, description and an absolute address that answers', async () => {
    const { status, text } = await read('/llms.txt');
    expect(status).to.equal(200);
    const rows = [...text.matchAll(/^- \[(.+?)\]\((.+?)\): (.+)$/gm)].map(([, title, url, about]) => ({
      title,
      url,
      about,
    }));
    expect(rows.map(({ url }) => url)).to.deep.equal(
      READING_ORDER.map((name) => `${server.url}/raw/${name}`),
    );
    for (const { title, url, about } of rows) {
      const page = await (await fetch(url!)).text();
      const lines = page.split('\n');
      expect(lines[0]).to.equal(`# ${title}`);
      expect(lines[2]).to.match(/^> /);
      expect(about!.length).to.be.greaterThan(20);
    }
  });

  it('give a page with and without its suffix, as Markdown, the same bytes and tag', async () => {
    const [bare, suffixed] = await Promise.all([read('/raw/authentication'), read('/raw/authentication.md')]);
    expect(bare).to.deep.equal(suffixed);
    expect([bare.status, bare.type]).to.deep.equal([200, 'text/markdown; charset=utf-8']);
    const tag = (await fetch(`${server.url}/raw/authentication`)).headers.get('etag')!;
    const again = await fetch(`${server.url}/raw/authentication`, { headers: { 'If-None-Match': tag } });
    expect(again.status).to.equal(304);
  });

  it('hold the whole corpus in one document', async () => {
    const { text } = await read('/llms-full.txt');
    for (const name of READING_ORDER) expect(text).to.include((await read(`/raw/${name}`)).text.trimEnd());
  });

  it('have nothing outside the index, whatever the path tries', async () => {
    for (const path of [
      '/raw/',
      '/raw/unknown',
      '/raw/Authentication',
      '/raw/authentication.md.md',
      '/raw/.md',
      '/raw/..%2f..%2fpackage.json',
      '/raw/%2e%2e/package.json',
      '/raw/corpus/authentication',
      '/raw/authentication%00',
      '/raw/__proto__',
      '/raw/constructor',
      `/raw/${'a'.repeat(5_000)}`,
    ]) {
      const { status, text } = await read(path);
      expect([status, JSON.parse(text).error.code], path).to.deep.equal([404, 'not_found']);
    }
  });

  it('find what people look for, best first', async () => {
    const wanted: [string, string, RegExp][] = [
      ['freshness window', 'authentication', /Freshness/],
      ['low-order keys', 'delivery', /Retrieve/],
      ['publication_review_limit_reached', 'errors', /publication_review_limit_reached/],
      ['REVIEW_QUOTA', 'operator', /Configuration/],
      ['unopenable', 'guardian', /Open/],
    ];
    for (const [query, page, heading] of wanted) {
      const { status, body } = await search(`?query=${encodeURIComponent(query)}`);
      expect(status).to.equal(200);
      const results = body as Result[];
      const place = results.findIndex(
        ({ url, heading: h }) => url === `${server.url}/raw/${page}` && heading.test(h),
      );
      expect(place, `${query}: ${JSON.stringify(results.slice(0, 4))}`).to.be.within(0, 3);
      for (const { content, context } of results) {
        expect(content.length).to.be.lessThan(300);
        expect(context.length).to.be.greaterThan(10);
      }
    }
    expect((await search('?query=zzzzqqqq')).body).to.deep.equal([]);
  });

  it('refuse a search without one bounded text', async () => {
    for (const query of [
      '',
      '?query=',
      '?query=%20',
      `?query=${'x'.repeat(201)}`,
      '?query=a&query=b',
      '?query=a&page=2',
    ]) {
      const { status, body } = await search(query);
      expect([status, body.error.code], query).to.deep.equal([400, 'invalid_search_request']);
      expect(body.error.issues).to.not.deep.equal([]);
    }
  });
});
