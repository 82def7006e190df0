// Where the documentation stands for readers: URLs in it are absolute on the documentation host.

/** What of the configuration says so. */
export interface DocsPlace {
  readonly publicUrl: string;
  readonly docsHost: string | undefined;
}

/** The base address of the documentation, without a trailing slash. */
export function docsAddress({ publicUrl, docsHost }: DocsPlace): string {
  const url = new URL(publicUrl);
  return docsHost === undefined ? url.origin : `${url.protocol}//${docsHost}`;
}

/** The address of one page. */
export function pageAddress(base: string, name: string): string {
  return `${base}/raw/${name}`;
}
