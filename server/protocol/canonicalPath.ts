// Which paths exist at all (specification section 5: the signature covers the exact pathname).
// Must never repair a path: a path that two parsers could read differently is not found.

/** Visible ASCII that a path segment of this service may hold: no `%`, no backslash, no delimiter of a URL. */
const SEGMENT = /^[A-Za-z0-9\-._~!$&'()*+,;=:@]+$/;

/**
 * True when a pathname has one reading only: it begins with `/` and holds no percent-encoding, empty, `.` or `..`
 * segment, trailing slash, backslash, control or non-ASCII character. `/` alone is canonical (RFC 3986 section 6).
 */
export function isCanonicalPath(pathname: string): boolean {
  if (pathname === '/') return true;
  if (!pathname.startsWith('/')) return false;
  return pathname
    .slice(1)
    .split('/')
    .every((segment) => SEGMENT.test(segment) && segment !== '.' && segment !== '..');
}
