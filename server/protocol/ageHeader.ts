// The text header of an age file (https://c2sp.org/age): version line, stanzas, MAC. It says to whom a file is
// encrypted, and is bounded before anybody keeps the file. Must never decrypt: it needs no key.
import { base64 } from 'multiformats/bases/base64';
import { MAX_AGE_HEADER_BYTES } from './ageSize.ts';
import type { Issue } from './errors.ts';
import { isLowOrderX25519Key, X25519_KEY_BYTES } from './x25519Key.ts';

/** One recipient stanza. */
export interface AgeStanza {
  readonly type: string;
  readonly args: readonly string[];
  readonly body: Uint8Array;
}

const VERSION_LINE = 'age-encryption.org/v1';
const STANZA_LINE = /^-> ([\x21-\x7e]+(?: [\x21-\x7e]+)*)$/;
const MAC_LINE = /^--- [A-Za-z0-9+/]{43}$/;
const BODY_COLUMNS = 64;

/**
 * The stanzas of the header at the beginning of a binary age file, or in one sentence what is wrong with it. The bytes
 * may be the file's first {@link MAX_AGE_HEADER_BYTES} alone: a header that does not end within them is refused.
 */
export function parseAgeHeader(file: Uint8Array): { stanzas: AgeStanza[] } | { problem: string } {
  const lines = headerLines(file);
  if (lines[0] !== VERSION_LINE)
    return { problem: `It must be a binary age file that begins with ${VERSION_LINE}.` };
  const stanzas: AgeStanza[] = [];
  let at = 1;
  while (at < lines.length && !MAC_LINE.test(lines[at]!)) {
    const [, words] = STANZA_LINE.exec(lines[at]!) ?? [];
    const bodyLines = words === undefined ? undefined : linesOfBody(lines, at + 1);
    const body = bodyLines === undefined ? undefined : decodeBase64(bodyLines.join(''));
    if (words === undefined || bodyLines === undefined || body === undefined) {
      return {
        problem: `Line ${at + 1} of its age header is malformed, or lies beyond ${MAX_AGE_HEADER_BYTES} bytes.`,
      };
    }
    const [type, ...args] = words.split(' ');
    stanzas.push({ type: type!, args, body });
    at += 1 + bodyLines.length;
  }
  if (at >= lines.length) return { problem: `Its age header must end within ${MAX_AGE_HEADER_BYTES} bytes.` };
  return { stanzas };
}

/** What keeps a ciphertext from being an age file to exactly one X25519 recipient, as one issue at `path`. */
export function ageHeaderIssues(file: Uint8Array, path: string): Issue[] {
  const header = parseAgeHeader(file);
  if ('problem' in header) return [{ path, message: header.problem }];
  const [stanza] = header.stanzas;
  if (header.stanzas.length !== 1 || stanza?.type !== 'X25519') {
    return [{ path, message: 'The age file must have exactly one stanza, of type X25519.' }];
  }
  const share = stanza.args.length === 1 ? decodeBase64(stanza.args[0]!) : undefined;
  const sound =
    share?.length === X25519_KEY_BYTES && !isLowOrderX25519Key(share) && stanza.body.length === 32;
  return sound ? [] : [{ path, message: 'The X25519 stanza of the age file is malformed.' }];
}

/** The complete lines within the bound; what follows the last line feed is no line yet. */
function headerLines(file: Uint8Array): string[] {
  const head = file.subarray(0, MAX_AGE_HEADER_BYTES);
  const text = Array.from(head, (byte) => String.fromCharCode(byte)).join('');
  return text.split('\n').slice(0, -1);
}

/** The lines of a body: full ones, and one shorter one that ends it. */
function linesOfBody(lines: readonly string[], from: number): string[] | undefined {
  for (let at = from; at < lines.length; at += 1) {
    if (lines[at]!.length > BODY_COLUMNS) return undefined;
    if (lines[at]!.length < BODY_COLUMNS) return lines.slice(from, at + 1);
  }
  return undefined;
}

function decodeBase64(text: string): Uint8Array | undefined {
  try {
    const bytes = base64.baseDecode(text);
    return base64.baseEncode(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
