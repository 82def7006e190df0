import { expect } from 'chai';
import { isCanonicalPath } from '../../server/protocol/canonicalPath.ts';

describe('isCanonicalPath', () => {
  it('takes paths with one reading', () => {
    for (const path of [
      '/',
      '/api/bounties/7',
      '/raw/guide.md',
      '/a..b',
      '/.well-known',
      '/a/...',
      '/~x',
      '/A',
    ]) {
      expect(isCanonicalPath(path), path).to.equal(true);
    }
  });

  it('refuses every path that two parsers could read differently', () => {
    const bad = [
      '',
      'api',
      '*',
      '/api/',
      '//',
      '//api',
      '/api//x',
      '/.',
      '/..',
      '/api/./x',
      '/api/../x',
      '/api/..',
      '/%61pi',
      '/api%2fx',
      '/a%00',
      '/a\\b',
      '/a b',
      '/a\tb',
      '/a\u0000',
      '/a\u007f',
      '/grüße',
      '/a#b',
      '/a?b',
      '/a"b',
      '/a<b>',
      '/a\n',
      'http://host/api',
    ];
    for (const path of bad) expect(isCanonicalPath(path), path).to.equal(false);
  });
});
