import { expect } from 'chai';
import fc from 'fast-check';
import { checksumAddress as viemChecksum } from 'viem';
import { checksumAddress, parseAddress } from '../../server/protocol/accountAddress.ts';

// The first example of EIP-55.
const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('parseAddress', () => {
  it('takes lower, upper and checksum case and gives lower case', () => {
    const lower = CHECKSUMMED.toLowerCase();
    for (const text of [CHECKSUMMED, lower, `0x${lower.slice(2).toUpperCase()}`]) {
      expect(parseAddress(text), text).to.equal(lower);
    }
    expect(parseAddress(`0x${'0'.repeat(40)}`)).to.equal(`0x${'0'.repeat(40)}`);
  });

  it('refuses a wrong checksum and everything that is no address', () => {
    const bad = [
      CHECKSUMMED.replace('aA', 'AA'),
      CHECKSUMMED.slice(0, -1),
      `${CHECKSUMMED}0`,
      CHECKSUMMED.slice(2),
      CHECKSUMMED.replace('0x', '0X'),
      CHECKSUMMED.replace('5', 'g'),
      ` ${CHECKSUMMED}`,
      `${CHECKSUMMED}\n`,
      'vitalik.eth',
      '',
    ];
    for (const text of bad) expect(parseAddress(text), text).to.equal(undefined);
  });
});

describe('checksumAddress', () => {
  it('writes EIP-55 case, which reads back as the same address', () => {
    expect(checksumAddress(CHECKSUMMED.toLowerCase())).to.equal(CHECKSUMMED);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const lower = `0x${Buffer.from(bytes).toString('hex')}` as const;
        expect(checksumAddress(lower)).to.equal(viemChecksum(lower));
        expect(parseAddress(checksumAddress(lower))).to.equal(lower);
      }),
    );
  });

  it('throws on anything else', () => {
    expect(() => checksumAddress('0x12')).to.throw(TypeError, 'address');
  });
});
