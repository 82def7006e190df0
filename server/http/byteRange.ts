// One byte range of a representation (RFC 9110 section 14): several ranges and other units are answered with the whole.

import { ServiceError } from '../protocol/errors.ts';

/**
 * What a Range header asks for.
 *
 * @returns undefined when the whole is due
 * @throws ServiceError 416 with the length when nothing of it exists
 */
export function byteRange(
  header: string | undefined,
  byteLength: number,
): { readonly offset: number; readonly length: number } | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [from, to] = [match[1] as string, match[2] as string];
  const offset = from === '' ? Math.max(0, byteLength - Number(to)) : Number(from);
  const end = from === '' || to === '' ? byteLength - 1 : Math.min(Number(to), byteLength - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  if (offset <= end) return { offset, length: end - offset + 1 };
  throw new ServiceError('range_not_satisfiable', { headers: { 'Content-Range': `bytes */${byteLength}` } });
}
