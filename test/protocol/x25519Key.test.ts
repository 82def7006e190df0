import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { encodeBase64Url } from '../../server/protocol/base64Url.ts';
import { isLowOrderX25519Key, readX25519PublicKey } from '../../server/protocol/x25519Key.ts';

const P = 2n ** 255n - 19n;
const ORDER_8 = [
  325606250916557431795983626356110631294008115727848805560023387167927233504n,
  39382357235489614581723060781553021112529911719440698176882885853963445705823n,
];

function littleEndian(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 32 }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn));
}

const PRIVATE_KEY: KeyObject = createPrivateKey({
  key: {
    kty: 'OKP',
    crv: 'X25519',
    d: encodeBase64Url(new Uint8Array(32).fill(7)),
    x: encodeBase64Url(littleEndian(9n)),
  },
  format: 'jwk',
});

/** Whether OpenSSL's X25519 refuses the point because the shared secret would be zero. */
function givesZero(key: Uint8Array): boolean {
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: encodeBase64Url(key) },
    format: 'jwk',
  });
  try {
    diffieHellman({ privateKey: PRIVATE_KEY, publicKey });
    return false;
  } catch {
    return true;
  }
}

describe('X25519 public key', () => {
  it('is refused for every encoding of a low-order point', () => {
    const encodings = [0n, 1n, ...ORDER_8, P - 1n, P, P + 1n];
    for (const value of encodings.flatMap((point) => [point, point + 2n ** 255n])) {
      const key = littleEndian(value);
      expect(givesZero(key), `control ${value}`).to.equal(true);
      expect(isLowOrderX25519Key(key), String(value)).to.equal(true);
      expect(readX25519PublicKey(encodeBase64Url(key)))
        .to.have.property('problem')
        .that.contains('low order');
    }
  });

  it('is taken in every other case, as X25519 itself does', () => {
    for (const value of [2n, 9n, P - 2n, P + 2n, ORDER_8[0]! + 1n, ORDER_8[1]! - 1n]) {
      expect(isLowOrderX25519Key(littleEndian(value)), String(value)).to.equal(
        givesZero(littleEndian(value)),
      );
    }
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        const before = key.slice();
        expect(isLowOrderX25519Key(key)).to.equal(givesZero(key));
        expect(key).to.deep.equal(before);
      }),
      { numRuns: 50 },
    );
  });

  it('is read from base64url of 32 bytes only', () => {
    const key = new Uint8Array(32).fill(9);
    expect(readX25519PublicKey(encodeBase64Url(key))).to.deep.equal({ key });
    for (const text of [
      '',
      'AQ',
      encodeBase64Url(key.slice(1)),
      `${encodeBase64Url(key)}=`,
      `${encodeBase64Url(key)}AA`,
    ]) {
      expect(readX25519PublicKey(text), text).to.have.property('problem').that.contains('43 characters');
    }
  });
});
