import { expect } from 'chai';
import fc from 'fast-check';
import { type Address, encodeAbiParameters, type Hex } from 'viem';
import {
  decodePayoutData,
  encodePayoutData,
  feeAmount,
  netRewardAmount,
} from '../../server/protocol/payout.ts';

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3' as Address;
const amounts = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

describe('fee', () => {
  it('is rounded down', () => {
    expect(feeAmount(10_000n, 250)).to.equal(250n);
    expect(feeAmount(39n, 250)).to.equal(0n);
    expect(feeAmount(40n, 250)).to.equal(1n);
    expect(feeAmount(1n, 10_000)).to.equal(1n);
    expect(feeAmount(0n, 100)).to.equal(0n);
    expect(netRewardAmount(40n, 250)).to.equal(39n);
  });

  it('and the net reward are the whole escrow', () => {
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (amount, bps) => {
        const fee = feeAmount(amount, bps);
        expect(fee + netRewardAmount(amount, bps)).to.equal(amount);
        expect(fee * 10_000n <= amount * BigInt(bps) && (fee + 1n) * 10_000n > amount * BigInt(bps)).to.equal(
          true,
        );
      }),
    );
  });

  it('needs possible values', () => {
    for (const bps of [-1, 10_001, 0.5, Number.NaN])
      expect(() => feeAmount(1n, bps), String(bps)).to.throw(RangeError);
    expect(() => feeAmount(-1n, 1)).to.throw(RangeError);
  });
});

describe('payout data', () => {
  it('is abi.encode(token, amount), and reads back', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const data = encodePayoutData({ tokenAddress: TOKEN, amount });
        expect(data).to.equal(
          encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [TOKEN, amount]),
        );
        expect(decodePayoutData(data)).to.deep.equal({ tokenAddress: TOKEN, amount });
      }),
    );
  });

  it('is nothing else', () => {
    const data = encodePayoutData({ tokenAddress: TOKEN, amount: 5n });
    const dirty = `0x01${data.slice(4)}` as Hex;
    for (const bad of ['0x', `${data}00`, data.slice(0, -2), dirty, data.slice(2)]) {
      expect(decodePayoutData(bad as Hex), bad).to.equal(undefined);
    }
    expect(() => encodePayoutData({ tokenAddress: TOKEN, amount: 2n ** 256n })).to.throw();
    expect(() => encodePayoutData({ tokenAddress: '0x12', amount: 1n })).to.throw(TypeError);
  });
});
