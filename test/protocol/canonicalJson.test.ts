import { expect } from 'chai';
import fc from 'fast-check';
import {
  canonicalBytes,
  canonicalJson,
  MAX_JSON_DEPTH,
  parseCanonical,
} from '../../server/protocol/canonicalJson.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('canonicalJson', () => {
  it('is the sample of RFC 8785 section 3.2.2', () => {
    const sample = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"\u002f',
      literals: [null, true, false],
    };
    expect(canonicalJson(sample)).to.equal(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts keys by UTF-16 code units', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.values(JSON.parse(canonicalJson(value)))).to.deep.equal([4, 2, 6, 7, 1, 5, 3]);
  });

  it('refuses what JSON cannot carry', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    for (const bad of [
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1n,
      '\ud800',
      { a: '\udc00' },
      circle,
    ]) {
      expect(() => canonicalJson(bad)).to.throw();
    }
  });
});

describe('parseCanonical', () => {
  it('returns every value from its canonical bytes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const canonical = JSON.parse(canonicalJson(value));
        expect(parseCanonical(canonicalBytes(value))).to.deep.equal({ value: canonical });
      }),
    );
  });

  it('refuses any other text of the same value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }), (value) => {
        expect(parseCanonical(utf8(JSON.stringify(value, null, 1)))).to.have.property('issues');
        expect(parseCanonical(utf8(` ${canonicalJson(value)}`))).to.have.property('issues');
      }),
    );
  });

  const refused: [why: string, bytes: Uint8Array, message: string][] = [
    ['empty', utf8(''), 'must be JSON'],
    ['text', utf8('hello'), 'must be JSON'],
    ['two values', utf8('{}{}'), 'must be JSON'],
    ['byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), 'must be JSON'],
    ['invalid UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'UTF-8'],
    ['surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'UTF-8'],
    ['space', utf8('{"a": 1}'), 'canonical'],
    ['newline at the end', utf8('{}\n'), 'canonical'],
    ['unsorted keys', utf8('{"b":1,"a":1}'), 'canonical'],
    ['duplicate key', utf8('{"a":1,"a":1}'), 'canonical'],
    ['1.0', utf8('1.0'), 'canonical'],
    ['-0', utf8('-0'), 'canonical'],
    ['exponent', utf8('1e2'), 'canonical'],
    ['integer above 2^53', utf8('9007199254740993'), 'canonical'],
    ['overflow', utf8('1e999'), 'canonical'],
    ['escaped slash', utf8('"\\/"'), 'canonical'],
    ['escaped letter', utf8('"\\u0041"'), 'canonical'],
    ['upper-case escape', utf8('"\\u000F"'), 'canonical'],
    ['lone surrogate', utf8('"\\ud800"'), 'canonical'],
    ['a level too deep', utf8('['.repeat(MAX_JSON_DEPTH + 1) + ']'.repeat(MAX_JSON_DEPTH + 1)), 'nest'],
    ['a mile too deep', utf8('{"a":'.repeat(50_000)), 'nest'],
    ['brackets that never close', utf8('['.repeat(250_000)), 'nest'],
  ];
  for (const [why, bytes, message] of refused) {
    it(`refuses: ${why}`, () => {
      const parsed = parseCanonical(bytes);
      expect(parsed).to.have.nested.property('issues[0].path', '');
      expect(parsed).to.have.nested.property('issues[0].message').that.contains(message);
    });
  }

  it('takes the deepest allowed nesting, and does not count brackets in strings', () => {
    const deepest = '['.repeat(MAX_JSON_DEPTH) + ']'.repeat(MAX_JSON_DEPTH);
    expect(parseCanonical(utf8(deepest))).to.have.property('value');
    expect(parseCanonical(utf8(`[${Array(50).fill('[{}]').join(',')}]`))).to.have.property('value');
    const inString = JSON.stringify(`"${'[{'.repeat(100)}\\"`);
    expect(parseCanonical(utf8(inString))).to.have.property('value');
  });

  it('reads a quarter of a megabyte of unclosed quotes at once', () => {
    const started = performance.now();
    expect(parseCanonical(utf8(`["${'\\"'.repeat(128 * 1024)}`))).to.have.property('issues');
    expect(performance.now() - started).to.be.below(1000);
  });

  it('keeps __proto__ an ordinary key', () => {
    const parsed = parseCanonical(utf8('{"__proto__":{"admin":true}}'));
    expect(parsed).to.have.property('value');
    const { value } = parsed as { value: Record<string, unknown> };
    expect(Object.keys(value)).to.deep.equal(['__proto__']);
    expect((value as { admin?: boolean }).admin).to.equal(undefined);
    expect(({} as { admin?: boolean }).admin).to.equal(undefined);
  });
});
