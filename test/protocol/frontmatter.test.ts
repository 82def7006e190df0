import { expect } from 'chai';
import fc from 'fast-check';
import {
  frontmatterPath,
  MAX_FRONTMATTER_CHARACTERS,
  parseFrontmatter,
} from '../../server/protocol/frontmatter.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const parse = (yaml: string, body = '') => parseFrontmatter(utf8(`---\n${yaml}\n---\n${body}`));

describe('parseFrontmatter', () => {
  it('keeps every scalar as text', () => {
    const yaml = [
      'hex: 0x00ff',
      'big: 123456789012345678901234567890',
      'float: 1.0',
      'yes: yes',
      'null: ~',
      'empty:',
      'date: 2026-01-02T03:04:05Z',
      'quoted: "a: \\u00fc"',
      "single: 'it''s'",
      'folded: >-',
      '  one',
      '  two',
      'list: [a, 0x1]',
      'map: {a: 1}',
      '# a comment',
    ].join('\n');
    expect(parse(yaml, 'body')).to.deep.equal({
      fields: {
        hex: '0x00ff',
        big: '123456789012345678901234567890',
        float: '1.0',
        yes: 'yes',
        null: '~',
        empty: '',
        date: '2026-01-02T03:04:05Z',
        quoted: 'a: ü',
        single: "it's",
        folded: 'one two',
        list: ['a', '0x1'],
        map: { a: '1' },
      },
      body: 'body',
      issues: [],
    });
  });

  it('ends at the first closing fence only', () => {
    expect(parse('a: b', '---\nc: d\n---\n')).to.deep.equal({
      fields: { a: 'b' },
      body: '---\nc: d\n---\n',
      issues: [],
    });
    expect(parseFrontmatter(utf8('---\na: b\n---')).body).to.equal('');
    expect(parseFrontmatter(utf8('---\na: "---"\nb: ---c\n---\nx'))).to.have.property('body', 'x');
  });

  it('reads CRLF as LF', () => {
    const lf = '---\na: b\nc: |\n  d\n  e\n---\n# T\n\ntext\n';
    expect(parseFrontmatter(utf8(lf.replaceAll('\n', '\r\n')))).to.deep.equal(parseFrontmatter(utf8(lf)));
  });

  it('returns any text that is quoted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        fc.pre(!value.includes('\0'));
        const { fields, issues } = parse(`a: ${JSON.stringify(value)}`);
        expect(issues).to.deep.equal([]);
        expect(fields).to.deep.equal({ a: value });
      }),
    );
  });

  const unreadable: [why: string, bytes: Uint8Array, message: string][] = [
    ['empty', utf8(''), 'begin with'],
    ['no fence', utf8('# Title\n'), 'begin with'],
    ['fence after a blank line', utf8('\n---\na: b\n---\n'), 'begin with'],
    ['no closing fence', utf8('---\na: b\n'), 'begin with'],
    ['one fence alone', utf8('---\n'), 'begin with'],
    ['longer fence', utf8('----\na: b\n----\n'), 'begin with'],
    ['indented closing fence', utf8('---\na: b\n ---\n'), 'begin with'],
    ['byte order mark', utf8('\ufeff---\na: b\n---\n'), 'byte order mark'],
    ['invalid UTF-8', Uint8Array.of(0x2d, 0x2d, 0x2d, 0x0a, 0xff), 'UTF-8'],
    ['NUL in the frontmatter', utf8('---\na: \0\n---\n'), 'NUL'],
    ['NUL in the body', utf8('---\na: b\n---\n\0'), 'NUL'],
    ['lone CR', utf8('---\na: b\n---\nx\ry'), 'CR'],
    ['old Macintosh line ends', utf8('---\ra: b\r---\r'), 'CR'],
    ['too long', utf8(`---\na: ${'x'.repeat(MAX_FRONTMATTER_CHARACTERS)}\n---\n`), 'longer'],
    ['empty frontmatter', utf8('---\n---\n'), 'mapping'],
    ['blank frontmatter', utf8('---\n\n---\n'), 'mapping'],
    ['a list', utf8('---\n- a\n---\n'), 'mapping'],
    ['a text', utf8('---\nhello\n---\n'), 'mapping'],
    ['directive', utf8('---\n%YAML 1.1\n--- \na: b\n---\n'), 'Directives'],
    ['bomb of brackets', utf8(`---\na: ${'['.repeat(100_000)}\n---\n`), 'nests'],
  ];
  for (const [why, bytes, message] of unreadable) {
    it(`cannot read: ${why}`, () => {
      const { issues, fields } = parseFrontmatter(bytes);
      expect(fields).to.deep.equal({});
      expect(issues).to.have.length(1);
      expect(issues[0]).to.have.property('path', 'frontmatter');
      expect(issues[0]).to.have.property('message').that.contains(message);
    });
  }

  const refused: [why: string, yaml: string, path: string, message: string][] = [
    ['anchor', 'a: &x b', 'frontmatter.a', 'Anchors'],
    ['anchor on a list', 'a: &x\n  - b', 'frontmatter.a', 'Anchors'],
    ['alias', 'a: *x', 'frontmatter.a', 'Aliases'],
    ['tag', 'a: !!js/function "x"', 'frontmatter.a', 'Tags'],
    ['string tag', 'a: !!str b', 'frontmatter.a', 'Tags'],
    ['non-specific tag', 'a: ! b', 'frontmatter.a', 'Tags'],
    ['nested tag', 'a: {b: [c, !x d]}', 'frontmatter.a.b.1', 'Tags'],
    ['duplicate key', 'a: b\na: c', 'frontmatter.a', 'twice'],
    ['duplicate nested key', 'a: {b: c, "b": d}', 'frontmatter.a.b', 'twice'],
    ['list as key', '? [a]\n: b', 'frontmatter', 'plain text'],
    ['anchored key', '&k a: b', 'frontmatter', 'plain text'],
    ['tagged key', '!x a: b', 'frontmatter', 'plain text'],
    ['alias as key', '*k : b', 'frontmatter', 'plain text'],
    ['tab as indentation', 'a: b\n\tc: d', 'frontmatter', 'Line 3'],
    ['unclosed bracket', 'x: y\na: [b', 'frontmatter', 'not valid YAML'],
    ['two values', 'a: b: c', 'frontmatter', 'Line 2'],
  ];
  for (const [why, yaml, path, message] of refused) {
    it(`names: ${why}`, () => {
      const { issues } = parse(yaml);
      const found = issues.find((issue) => issue.path === path);
      expect(found, JSON.stringify(issues)).to.have.property('message').that.contains(message);
    });
  }

  it('names all faults at once, and keeps the first of two equal keys', () => {
    const { issues, fields } = parse('a: !x 1\nb: &y 2\nc: *y\nd: 3\nd: 4');
    expect(issues.map(({ path }) => path)).to.deep.equal([
      'frontmatter.a',
      'frontmatter.b',
      'frontmatter.c',
      'frontmatter.d',
    ]);
    expect(fields).to.have.property('d', '3');
  });

  it('keeps __proto__ an ordinary key', () => {
    const { fields } = parse('__proto__: {admin: yes}');
    expect(Object.keys(fields)).to.deep.equal(['__proto__']);
    expect((fields as { admin?: unknown }).admin).to.equal(undefined);
  });

  it('reads many keys and deep indentation in bounded time', () => {
    const started = performance.now();
    const keys = Array.from({ length: 12_000 }, (_, index) => `k${index}:`).join('\n');
    expect(Object.keys(parse(keys).fields)).to.have.length(12_000);
    const stairs = Array.from({ length: 400 }, (_, index) => `${' '.repeat(index)}a:`).join('\n');
    expect(parse(stairs).issues).to.deep.equal([]);
    expect(performance.now() - started).to.be.below(3000);
  });

  it('never throws', () => {
    const unit = fc.constantFrom(...'---\n: ab&*!?[]{}"\'|>%#,\t \r\u00fc');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (yaml) => {
        expect(parse(yaml)).to.have.property('issues').that.is.an('array');
      }),
      { numRuns: 500 },
    );
  });
});

describe('frontmatterPath', () => {
  it('turns a JSON Pointer into dots', () => {
    expect(frontmatterPath('')).to.equal('frontmatter');
    expect(frontmatterPath('/reward/amount')).to.equal('frontmatter.reward.amount');
    expect(frontmatterPath('/a~1b/0/c~0d')).to.equal('frontmatter.a/b.0.c~d');
  });
});
