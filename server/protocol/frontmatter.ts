// The frontmatter of committed Markdown: UTF-8 without BOM, `---` first, YAML's failsafe schema: every scalar is text,
// so an unquoted 0x… or a large integer is kept exactly (specification section 2, raw text/markdown boundaries).
// Line ends are LF or CRLF, a lone CR is refused: parsers disagree on it. Must never change the bytes, resolve an
// alias or run a tag.
import { isAlias, isMap, isScalar, isSeq, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import type { Issue } from './errors.ts';
import { brokenYamlBound } from './yamlBounds.ts';

/** The longest frontmatter that is read, in characters: half of the longest document. */
export const MAX_FRONTMATTER_CHARACTERS = 128 * 1024;

/** Frontmatter as it is written: text, lists and mappings of text. */
export type FrontmatterValue =
  | string
  | readonly FrontmatterValue[]
  | { readonly [key: string]: FrontmatterValue };

/** A document cut at its first closing fence. */
export interface FrontmatterDocument {
  /** What could be read; keys with issues may be absent. */
  readonly fields: { readonly [key: string]: FrontmatterValue };
  /** Everything after the closing fence's line, with LF line ends. */
  readonly body: string;
  /** What is wrong with the YAML itself, at `frontmatter.<key>` or `frontmatter`. */
  readonly issues: readonly Issue[];
}

const CUT = /^---\n(?:([\s\S]*?)\n)??---(?:\n|$)/;

/** Cuts and reads a document; never throws. `issues` is empty when the frontmatter is well-formed. */
export function parseFrontmatter(bytes: Uint8Array): FrontmatterDocument {
  const text = decodeText(bytes);
  if ('problem' in text) return unreadable(text.problem);
  const [whole, yaml = ''] = CUT.exec(text.text) ?? [];
  if (whole === undefined) {
    return unreadable(
      'The document must begin with a line --- and have a later line --- that ends the frontmatter.',
    );
  }
  if (yaml.length > MAX_FRONTMATTER_CHARACTERS) {
    return unreadable(`The frontmatter is longer than ${MAX_FRONTMATTER_CHARACTERS} characters.`);
  }
  return { ...parseYaml(yaml), body: text.text.slice(whole.length) };
}

/** The place of a field as issues name it: `/reward/amount` becomes `frontmatter.reward.amount`. */
export function frontmatterPath(pointer: string): string {
  return `frontmatter${pointer.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')}`;
}

function unreadable(message: string): FrontmatterDocument {
  return { fields: {}, body: '', issues: [{ path: 'frontmatter', message }] };
}

function decodeText(bytes: Uint8Array): { text: string } | { problem: string } {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { problem: 'The document must be UTF-8.' };
  }
  if (text.startsWith('\ufeff')) return { problem: 'The document must not begin with a byte order mark.' };
  if (text.includes('\0')) return { problem: 'The document must not contain NUL.' };
  const unix = text.replaceAll('\r\n', '\n');
  if (unix.includes('\r')) return { problem: 'Lines must end with LF or CRLF, not with CR alone.' };
  return { text: unix };
}

function parseYaml(yaml: string): Omit<FrontmatterDocument, 'body'> {
  const broken = brokenYamlBound(yaml);
  if (broken !== undefined) return unreadable(broken);
  const lines = new LineCounter();
  const document = parseDocument(yaml, {
    schema: 'failsafe',
    merge: false,
    // Checked while reading: the library compares every key with every other.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter: lines,
  });
  const faulty = new Set(document.errors.map(({ pos }) => lines.linePos(pos[0]).line + 1));
  const issues: Issue[] = [...faulty].map((line) => ({
    path: 'frontmatter',
    message: `Line ${line} of the document is not valid YAML.`,
  }));
  const root = document.contents;
  if (!isMap(root)) {
    issues.push({ path: 'frontmatter', message: 'The frontmatter must be a mapping of keys to values.' });
    return { fields: {}, issues };
  }
  const fields = readNode(root, 'frontmatter', issues) as FrontmatterDocument['fields'];
  return { fields, issues };
}

/** The value of a node; everything that YAML can do beyond text, lists and mappings becomes an issue. */
function readNode(node: ParsedNode | null, path: string, issues: Issue[]): FrontmatterValue {
  if (isAlias(node)) {
    issues.push({ path, message: 'Aliases have no place here.' });
    return '';
  }
  if (node?.anchor !== undefined) issues.push({ path, message: 'Anchors have no place here.' });
  if (node?.tag !== undefined) issues.push({ path, message: 'Tags have no place here.' });
  if (isSeq(node)) {
    return node.items.map((item, index) => readNode(item as ParsedNode, `${path}.${index}`, issues));
  }
  if (!isMap(node)) return isScalar(node) ? String(node.value) : '';
  const entries = new Map<string, FrontmatterValue>();
  for (const { key, value } of node.items) {
    const name =
      isScalar(key) && key.anchor === undefined && key.tag === undefined ? String(key.value) : undefined;
    if (name === undefined) {
      issues.push({ path, message: 'Keys must be plain text.' });
      continue;
    }
    const at = `${path}.${name}`;
    if (entries.has(name)) issues.push({ path: at, message: 'This key is given twice.' });
    else entries.set(name, readNode(value as ParsedNode | null, at, issues));
  }
  // fromEntries defines own properties: __proto__ stays an ordinary, unknown key.
  return Object.fromEntries(entries);
}
