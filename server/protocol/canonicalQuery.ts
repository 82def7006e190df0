// The query as it is signed (specification section 5: canonicalized through URLSearchParams).
// Must never sort or drop parameters: repeated keys keep their order, and the route refuses what it does not know.

const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

/** A request target cut at its first `?`: the exact pathname, and the raw query without the `?` (empty when none). */
export function splitTarget(rawTarget: string): { readonly pathname: string; readonly rawQuery: string } {
  const cut = rawTarget.indexOf('?');
  return cut < 0
    ? { pathname: rawTarget, rawQuery: '' }
    : { pathname: rawTarget.slice(0, cut), rawQuery: rawTarget.slice(cut + 1) };
}

/** The parameters of a raw query without its leading `?`, in their order (WHATWG URL, application/x-www-form-urlencoded). */
export function queryParameters(rawQuery: string): URLSearchParams {
  // URLSearchParams strips one leading `?`; ours is gone already, so a second one belongs to the first key.
  return new URLSearchParams(`?${rawQuery}`);
}

/** The signed form of a raw query without its leading `?`: `mine` and `mine=` both become `mine=` (section 5). */
export function canonicalQuery(rawQuery: string): string {
  return queryParameters(rawQuery).toString();
}

/**
 * True when a raw query is visible ASCII whose percent-encoded bytes are UTF-8. Others are refused, because
 * URLSearchParams would turn different bytes into the same replacement character.
 */
export function isUtf8Query(rawQuery: string): boolean {
  if (!VISIBLE_ASCII.test(rawQuery)) return false;
  const bytes = rawQuery.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
    return true;
  } catch {
    return false;
  }
}
