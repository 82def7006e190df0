import { expect } from 'chai';
import { encodeBase64Url } from '../../server/protocol/base64Url.ts';
import * as leaves from '../../server/protocol/schemas.ts';
import { isUint256, MAX_ISSUES, shapeCheck } from '../../server/protocol/shapeCheck.ts';

const LOWER = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const HASH = `0x${'ab'.repeat(32)}`;
const key = (byte: number, length = 32) => encodeBase64Url(new Uint8Array(length).fill(byte));

const LEAVES = { ...leaves };

describe('leaves of schemas', () => {
  const table: [leaf: keyof typeof LEAVES, good: unknown[], bad: unknown[]][] = [
    [
      'address',
      [LOWER, CHECKSUMMED, `0x${LOWER.slice(2).toUpperCase()}`],
      [CHECKSUMMED.replace('aA', 'AA'), LOWER.slice(2), `${LOWER}0`, '', 5, null],
    ],
    ['lowerAddress', [LOWER], [CHECKSUMMED, `${LOWER}\n`, `${LOWER}0`, `0${LOWER}`]],
    ['bytes32', [HASH, HASH.toUpperCase().replace('X', 'x')], [HASH.slice(2), `${HASH}0`, ` ${HASH}`, 1]],
    ['lowerBytes32', [HASH], [HASH.toUpperCase().replace('X', 'x'), `${HASH}0`]],
    [
      'uint256',
      ['0', '1', String(2n ** 256n - 1n)],
      [String(2n ** 256n), '01', '1e3', '-1', '+1', '1.0', ' 1', '0x1', '', '9'.repeat(100), 1, 1.5],
    ],
    ['bountyId', ['7'], ['07', '1e3', 7]],
    ['chainId', [1, 8453], [0, -1, 1.5, '1', 2 ** 53]],
    ['timestamp', [0, 1790000000, 253_402_300_799], [-1, 1.5, 253_402_300_800, '1', null]],
    ['base64Url32', [key(0), key(255)], [key(1, 31), key(1, 33), `${key(1)}=`, '', 1]],
    ['x25519PublicKey', [key(9)], [key(0), key(9, 31), '']],
    ['wrappedKey', [key(1, 80)], [key(1, 79), key(1, 81), `${key(1, 80)}=`, '', 1]],
    ['sha256Digest', ['ab'.repeat(32)], ['AB'.repeat(32), HASH, 'ab'.repeat(31), '']],
    ['byteLength', [1, 50 * 1024 * 1024], [0, -1, 1.5, '1']],
    [
      'locator',
      [`ipfs://b${'a'.repeat(58)}`],
      [`ipfs://b${'a'.repeat(57)}`, `ipfs://B${'A'.repeat(58)}`, `b${'a'.repeat(58)}`],
    ],
  ];
  for (const [leaf, good, bad] of table) {
    it(`${leaf} takes ${good.length} right and refuses ${bad.length} wrong values`, () => {
      const check = shapeCheck(LEAVES[leaf]);
      for (const value of good) expect(check(value), String(value)).to.deep.equal([]);
      for (const value of bad) {
        expect(check(value), String(value)).to.deep.equal([
          { path: '', message: `Must be ${LEAVES[leaf].description}.` },
        ]);
      }
    });
  }

  it('are all in the table', () => {
    expect(table.map(([leaf]) => leaf).sort()).to.deep.equal(Object.keys(LEAVES).sort());
  });
});

describe('isUint256', () => {
  it('knows the last one', () => {
    expect(isUint256(String(2n ** 256n - 1n))).to.equal(true);
    expect(isUint256(String(2n ** 256n))).to.equal(false);
  });
});

describe('shapeCheck', () => {
  const check = shapeCheck({
    type: 'object',
    additionalProperties: false,
    required: ['kind', 'who'],
    properties: {
      kind: { const: 'a/v0' },
      who: {
        type: 'object',
        additionalProperties: false,
        required: ['a/b'],
        properties: { 'a/b': leaves.address },
      },
      result: { enum: ['pass', 'fail'] },
      list: {
        type: 'array',
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        items: { type: 'string', minLength: 2, maxLength: 3 },
      },
      count: { type: 'integer', multipleOf: 2 },
    },
  });

  it('takes what is right', () => {
    expect(
      check({ kind: 'a/v0', who: { 'a/b': LOWER }, result: 'pass', list: ['ab'], count: 4 }),
    ).to.deep.equal([]);
  });

  it('names every fault where it is', () => {
    const value = JSON.parse(
      '{"kind":"b","who":{"x~y/z":1},"result":"maybe","list":[],"count":3,"__proto__":{}}',
    );
    expect(check(value)).to.have.deep.members([
      { path: '/kind', message: 'Must be "a/v0".' },
      { path: '/who/a~1b', message: 'This field is missing.' },
      { path: '/who/x~0y~1z', message: 'This key is unknown.' },
      { path: '/result', message: 'Must be one of pass, fail.' },
      { path: '/list', message: 'Must be at least 1 long.' },
      { path: '/count', message: 'Must be as the schema says.' },
      { path: '/__proto__', message: 'This key is unknown.' },
    ]);
  });

  it('names faults of lists and types', () => {
    const issues = check({ kind: 'a/v0', who: 'me', list: ['a', 'long', 'long'], result: 'fail' });
    expect(issues).to.have.deep.members([
      { path: '/who', message: 'Must be of type object.' },
      { path: '/list', message: 'Must be at most 2 long.' },
      { path: '/list', message: 'Must be free of repetitions.' },
      { path: '/list/0', message: 'Must be at least 2 long.' },
      { path: '/list/1', message: 'Must be at most 3 long.' },
      { path: '/list/2', message: 'Must be at most 3 long.' },
    ]);
  });

  it('does not take inherited fields for given ones', () => {
    const inherits = Object.create({ kind: 'a/v0', who: { 'a/b': LOWER } });
    expect(check(inherits).map(({ path }) => path)).to.have.members(['/kind', '/who']);
  });

  it('tells no more than a bounded number of issues', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, 1]));
    expect(check(many)).to.have.length(MAX_ISSUES);
  });

  it('never changes the value', () => {
    const value = { kind: 'a/v0', who: { 'a/b': LOWER }, count: '4' };
    const before = structuredClone(value);
    expect(check(value)).to.have.length(1);
    expect(value).to.deep.equal(before);
  });

  it('refuses a schema that is not strict', () => {
    expect(() => shapeCheck({ type: 'string', patern: 'x' })).to.throw('patern');
  });
});
