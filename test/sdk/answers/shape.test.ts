import { expect } from 'chai';
import * as shape from '../../../server/sdk/answers/shape.ts';

const bounty = shape.record(
  {
    id: shape.digits,
    where: shape.nullable(shape.account),
    rows: shape.list(shape.record({ hash: shape.hash32 })),
  },
  { note: shape.text },
);
const HASH = `0x${'ab'.repeat(32)}`;
const right = { id: '7', where: null, rows: [{ hash: HASH }] };

describe('shapes of answers', () => {
  it('read what is right, with optional keys, and drop what they do not know', () => {
    expect(bounty(right, '')).to.deep.equal(right);
    expect(bounty({ ...right, note: 'x', future: 1 }, '')).to.deep.equal({ ...right, note: 'x' });
  });

  const wrong: [unknown, string][] = [
    [null, 'The answer must be an object'],
    [[], 'The answer must be an object'],
    [{ ...right, id: 7 }, '/id must be a uint256'],
    [{ ...right, id: '07' }, '/id must be'],
    [{ ...right, where: '0x12' }, '/where must be an address'],
    [{ where: null, rows: [] }, '/id must be'],
    [{ ...right, rows: {} }, '/rows must be a list'],
    [{ ...right, rows: [{ hash: HASH }, { hash: HASH.toUpperCase() }] }, '/rows/1/hash must be 32 bytes'],
    [{ ...right, note: null }, '/note must be text'],
  ];
  for (const [value, message] of wrong) {
    it(`refuse ${JSON.stringify(value)?.slice(0, 60)} because ${message}`, () => {
      expect(() => bounty(value, '')).to.throw(shape.ShapeError, message);
    });
  }

  const leaves: [string, shape.Shape<unknown>, right: unknown[], wrong: unknown[]][] = [
    ['whole', shape.whole, [0, 2 ** 53 - 1], [-1, 1.5, 2 ** 53, Number.NaN, '1', null]],
    ['digits', shape.digits, ['0', String(2n ** 256n - 1n)], ['', '01', '-1', '1.0', String(2n ** 256n), 1]],
    ['hexBytes', shape.hexBytes, ['0x', '0xab'], ['0xa', '0xAB', 'ab', 1]],
    ['httpUrl', shape.httpUrl, ['http://a/b', 'https://a'], ['ftp://a', 'file:///etc/passwd', '/a', 7]],
    ['one', shape.one('a', 1), ['a', 1], ['b', '1', undefined]],
    ['flag', shape.flag, [true, false], ['true', 0]],
    ['texts', shape.texts, [{}, { a: 'b' }], [{ a: 1 }, null, []]],
  ];
  for (const [name, leaf, good, bad] of leaves) {
    it(`${name} takes ${good.length} and refuses ${bad.length} values`, () => {
      for (const value of good) expect(leaf(value, '/x')).to.deep.equal(value);
      for (const value of bad)
        expect(() => leaf(value, '/x'), String(value)).to.throw(shape.ShapeError, '/x');
    });
  }
});
