import { expect } from 'chai';
import { freshnessWindowBlocks, isFreshBlock } from '../../server/protocol/freshness.ts';

describe('freshnessWindowBlocks', () => {
  it('is five minutes in blocks, rounded down', () => {
    expect(freshnessWindowBlocks(2)).to.equal(150n);
    expect(freshnessWindowBlocks(12)).to.equal(25n);
    expect(freshnessWindowBlocks(0.25)).to.equal(1200n);
    expect(freshnessWindowBlocks(7)).to.equal(42n);
  });

  it('needs a block time', () => {
    for (const bad of [0, -2, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => freshnessWindowBlocks(bad), String(bad)).to.throw(RangeError, 'block time');
    }
  });
});

describe('isFreshBlock', () => {
  it('takes the window including both ends', () => {
    expect(isFreshBlock(1000n, 1000n, 150n)).to.equal(true);
    expect(isFreshBlock(850n, 1000n, 150n)).to.equal(true);
    expect(isFreshBlock(849n, 1000n, 150n)).to.equal(false);
    expect(isFreshBlock(1001n, 1000n, 150n)).to.equal(false);
  });

  it('takes block 0 of a young chain', () => {
    expect(isFreshBlock(0n, 149n, 150n)).to.equal(true);
    expect(isFreshBlock(0n, 151n, 150n)).to.equal(false);
  });
});
