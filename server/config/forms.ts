// The forms that variables can have: each takes the text and gives the value, or undefined when the text is not one.

import { type Address, isAddress } from 'viem';

/** A whole number within bounds, in decimal. */
export const integer =
  (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  (text: string): number | undefined => {
    if (!/^(0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
    const value = Number(text);
    return value >= minimum && value <= maximum ? value : undefined;
  };

/** A URL of one of these protocols, without trailing slashes. */
export const url =
  (...protocols: string[]) =>
  (text: string): string | undefined => {
    if (!URL.canParse(text)) return undefined;
    return protocols.includes(new URL(text).protocol) ? text.replace(/\/+$/, '') : undefined;
  };

/** An http(s) URL. */
export const httpUrl = url('http:', 'https:');

// fetch refuses what these two refuse, and quotes it in its error, which would carry a secret into the log.
/** An http(s) URL without a user name or password in it. */
export const bareHttpUrl = (text: string): string | undefined => {
  const parsed = httpUrl(text);
  return parsed !== undefined && new URL(parsed).username + new URL(parsed).password === ''
    ? parsed
    : undefined;
};

/** A text that can stand in a header. */
export const headerToken = (text: string): string | undefined =>
  /^[\x21-\x7e]+$/.test(text) ? text : undefined;

/** Items separated by commas. */
export const list =
  <T>(item: (text: string) => T | undefined) =>
  (text: string): readonly T[] | undefined => {
    const items = text.split(',').map((part) => item(part.trim()));
    return items.every((value) => value !== undefined) ? (items as T[]) : undefined;
  };

/** A host name with an optional port, in lower case. */
export const host = (text: string): string | undefined =>
  /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?$/.test(text.toLowerCase())
    ? text.toLowerCase()
    : undefined;

/** So many bytes in lower-case hex. */
export const hex =
  (bytes: number) =>
  (text: string): string | undefined =>
    new RegExp(`^[0-9a-f]{${bytes * 2}}$`).test(text) ? text : undefined;

/** 32 bytes in canonical base64url without padding. */
export const key32 = (text: string): Uint8Array | undefined => {
  if (!/^[A-Za-z0-9_-]{43}$/.test(text)) return undefined;
  const bytes = new Uint8Array(Buffer.from(text, 'base64url'));
  return Buffer.from(bytes).toString('base64url') === text ? bytes : undefined;
};

/** What {@link key32} wants, in words. */
export const KEY_FORM = '32 bytes in base64url without padding (43 characters)';

/** An address other than zero, in lower case. */
export const contractAddress = (text: string): Address | undefined =>
  isAddress(text, { strict: false }) && !/^0x0{40}$/.test(text) ? (text.toLowerCase() as Address) : undefined;

/** An IP address or a CIDR range. */
export function cidr(text: string): string | undefined {
  return /^[0-9a-fA-F:.]+(?:\/[0-9]{1,3})?$/.test(text) ? text : undefined;
}
