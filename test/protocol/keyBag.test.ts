import { expect } from 'chai';
import type { Address } from 'viem';
import { encodeBase64Url } from '../../server/protocol/base64Url.ts';
import { keyBagBytes, parseKeyBag } from '../../server/protocol/keyBag.ts';

const wrap = (byte: number, length = 80) => encodeBase64Url(new Uint8Array(length).fill(byte));
const ADA = { account: `0x${'a1'.repeat(20)}` as Address, wrapped_key: wrap(1) };
const BOB = { account: `0x${'b2'.repeat(20)}` as Address, wrapped_key: wrap(2) };
const raw = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe('key bag', () => {
  it('is written in one form, whatever order and case it is given in', () => {
    const bytes = keyBagBytes([BOB, { ...ADA, account: `0x${'A1'.repeat(20)}` }]);
    expect(new TextDecoder().decode(bytes)).to.equal(JSON.stringify([ADA, BOB]));
    expect(parseKeyBag(bytes)).to.deep.equal({ entries: [ADA, BOB] });
  });

  const faults: [why: string, bytes: Uint8Array, path: string, message: string][] = [
    ['no JSON', new TextEncoder().encode('['), '', 'JSON'],
    ['other form', new TextEncoder().encode(JSON.stringify([ADA], null, 1)), '', 'canonical'],
    ['no list', raw({}), '', 'array'],
    ['empty', raw([]), '', 'at least 1'],
    ['descending', raw([BOB, ADA]), '/1/account', 'ascending'],
    ['repeated', raw([ADA, ADA]), '/1/account', 'ascending'],
    ['checksum case', raw([{ ...ADA, account: `0x${'A1'.repeat(20)}` }]), '/0/account', 'lower case'],
    ['short wrap', raw([{ ...ADA, wrapped_key: wrap(1, 79) }]), '/0/wrapped_key', '107'],
    ['no wrap', raw([{ account: ADA.account }]), '/0/wrapped_key', 'missing'],
    ['a key in the clear', raw([{ ...ADA, wrapped_key: wrap(1), x: wrap(1, 32) }]), '/0/x', 'unknown'],
  ];
  for (const [why, bytes, path, message] of faults) {
    it(`is refused: ${why}`, () => {
      const parsed = parseKeyBag(bytes);
      expect(parsed).to.have.property('issues').that.has.length(1);
      expect(parsed).to.have.nested.property('issues[0].path', path);
      expect(parsed).to.have.nested.property('issues[0].message').that.contains(message);
    });
  }

  it('holds no more wraps than a roster has Guardians', () => {
    const entries = Array.from({ length: 101 }, (_, index) => ({
      account: `0x${index.toString(16).padStart(40, '0')}` as Address,
      wrapped_key: wrap(1),
    }));
    expect(parseKeyBag(keyBagBytes(entries.slice(1)))).to.have.property('entries');
    expect(parseKeyBag(keyBagBytes(entries)))
      .to.have.nested.property('issues[0].message')
      .that.contains('100');
  });
});
