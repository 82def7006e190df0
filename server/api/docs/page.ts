// One page of the documentation: its first line is the title, then a description as a blockquote, then the body
// (specification section 4, documentation surfaces).

/** A page; `name` is its path below /raw/. */
export interface Page {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The whole page: title, description and body. */
  readonly markdown: string;
}

const FORM = /^# (?<title>.+)\n\n(?<quote>(?:> .+\n)+)\n/;

/** Reads a page. @throws Error when it does not begin with a title and a description */
export function readPage(name: string, markdown: string): Page {
  const { title, quote } = FORM.exec(markdown)?.groups ?? {};
  if (title === undefined || quote === undefined)
    throw new Error(`The page ${name} must begin with a title and a blockquote.`);
  const description = quote.replaceAll(/^> /gm, '').trim().replaceAll('\n', ' ');
  return { name, title, description, markdown };
}
