import { expect } from 'chai';
import fc from 'fast-check';
import { decodeBase64Url, encodeBase64Url } from '../../server/protocol/base64Url.ts';

describe('base64url', () => {
  it('is what Node writes, and reads back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = Buffer.from(bytes).toString('base64url');
        expect(encodeBase64Url(bytes)).to.equal(text);
        expect(decodeBase64Url(text)).to.deep.equal(bytes);
      }),
    );
  });

  it('refuses padding, standard base64, white space and unused bits', () => {
    for (const text of ['YQ==', 'YQ=', '+/+/', 'Y', 'YR', 'Y Q', 'YQ\n', 'ä', 'YWFh=']) {
      expect(decodeBase64Url(text), text).to.equal(undefined);
    }
  });
});
