// Canonical JSON (RFC 8785): one value, one byte string, so that hashes over JSON mean something.
// Must never accept bytes that differ from the canonicalization of their own parse (duplicate keys, spaces, `1.0`).
import canonicalize from 'canonicalize';
import type { Issue } from './errors.ts';

/** How deep canonical documents may nest; ours need 3. Bounds the recursion of the canonicalizer. */
export const MAX_JSON_DEPTH = 32;

/** The canonical text of a value (RFC 8785). Throws on what JSON cannot carry: NaN, bigint, cycles, lone surrogates. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('This value has no JSON form.');
  return text;
}

/** The UTF-8 bytes of {@link canonicalJson}: what is hashed, stored and authenticated. */
export function canonicalBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(canonicalJson(value)));
}

/** The value of bytes that are canonical JSON, or the one issue that stops their reading. Never throws. */
export function parseCanonical(bytes: Uint8Array): { value: unknown } | { issues: Issue[] } {
  const text = decodeUtf8(bytes);
  if (text === undefined) return refused('The bytes must be UTF-8.');
  if (isDeeperThan(text, MAX_JSON_DEPTH)) return refused(`JSON may nest at most ${MAX_JSON_DEPTH} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused('The bytes must be JSON.');
  }
  if (!isCanonicalText(value, text)) {
    return refused('The JSON must be in canonical form (RFC 8785): sorted keys, no spaces, no key twice.');
  }
  return { value };
}

function refused(message: string): { issues: Issue[] } {
  return { issues: [{ path: '', message }] };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    // A byte order mark stays in the text, where JSON refuses it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isCanonicalText(value: unknown, text: string): boolean {
  try {
    return canonicalJson(value) === text;
  } catch {
    // A lone surrogate, escaped in the text.
    return false;
  }
}

/** Counts brackets outside strings, in one pass. Text that is no JSON may be miscounted, and fails to parse later. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
