import { expect } from 'chai';
import fc from 'fast-check';
import {
  canonicalQuery,
  isUtf8Query,
  queryParameters,
  splitTarget,
} from '../../server/protocol/canonicalQuery.ts';

describe('splitTarget', () => {
  it('cuts at the first question mark', () => {
    expect(splitTarget('/a')).to.deep.equal({ pathname: '/a', rawQuery: '' });
    expect(splitTarget('/a?')).to.deep.equal({ pathname: '/a', rawQuery: '' });
    expect(splitTarget('/a?b?c')).to.deep.equal({ pathname: '/a', rawQuery: 'b?c' });
    expect(splitTarget('?b')).to.deep.equal({ pathname: '', rawQuery: 'b' });
  });
});

describe('canonicalQuery', () => {
  it('writes equal queries equally', () => {
    expect(canonicalQuery('')).to.equal('');
    expect(canonicalQuery('mine')).to.equal('mine=');
    expect(canonicalQuery('mine=')).to.equal('mine=');
    expect(canonicalQuery('a=b%20c')).to.equal(canonicalQuery('a=b+c'));
    expect(canonicalQuery('b=2&a=1&b=1')).to.equal('b=2&a=1&b=1');
  });

  it('keeps a second question mark: it belongs to the key', () => {
    expect(canonicalQuery('?a=1')).to.equal('%3Fa=1');
    expect([...queryParameters('?a=1')]).to.deep.equal([['?a', '1']]);
  });

  it('is what a URL says of the same target, and does not change when repeated', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 4 }), (pairs) => {
        const search = new URLSearchParams(pairs).toString();
        expect(canonicalQuery(search)).to.equal(search);
        expect(new URL(`http://host/x?${search}`).searchParams.toString()).to.equal(search);
      }),
    );
  });
});

describe('isUtf8Query', () => {
  it('takes ASCII and percent-encoded UTF-8', () => {
    for (const query of ['', 'a=b', 'a=%C3%BC', 'a=%c3%bc', '100%', '%zz', '~;!', 'a=%F0%9F%98%80']) {
      expect(isUtf8Query(query), query).to.equal(true);
    }
  });

  it('refuses bytes that are not UTF-8, and raw control or non-ASCII characters', () => {
    for (const query of ['a=%FF', 'a=%C3', '%C3x%BC', '%ED%A0%80', 'a=ü', 'a b', 'a\n', '\u007f']) {
      expect(isUtf8Query(query), query).to.equal(false);
    }
  });
});
