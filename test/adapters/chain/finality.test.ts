// The proven-finalized block: it only moves forward along one chain, remembers itself, and closes for good when the chain
// breaks its word. The chain here is a list of headers, so that it can be made to lie.

import { expect } from 'chai';
import type { Hex } from 'viem';
import {
  FinalityTracker,
  FinalityViolated,
  type FinalizedBlock,
} from '../../../server/adapters/chain/finality.ts';
import type { Header } from '../../../server/adapters/chain/rpc.ts';

const header = (number: number, branch = 'a'): Header => ({
  number,
  hash: `0x${branch}${number}` as Hex,
  parentHash: `0x${branch}${number - 1}` as Hex,
  timestamp: 1_000 + number * 2,
});

/** A chain whose blocks and finalized block a test sets, and everything that a tracker tells about it. */
function bench() {
  const blocks = new Map<number, Header>();
  const told = { lower: 0, violations: [] as string[], notSaved: 0 };
  let finalized: Header | null = null;
  let kept: FinalizedBlock | undefined;
  let clockMs = 0;
  let storeFails = false;
  const tracker = new FinalityTracker(
    async (block) => (block === 'finalized' ? finalized : (blocks.get(block as number) ?? null)),
    {
      load: async () => kept,
      save: async (block) => {
        if (storeFails) throw new Error('away');
        kept = block;
      },
    },
    {
      lowerAnswer: () => {
        told.lower += 1;
      },
      violation: (reason) => told.violations.push(reason),
      notSaved: () => {
        told.notSaved += 1;
      },
    },
    () => clockMs,
  );
  return {
    tracker,
    told,
    kept: () => kept,
    remember: (block: FinalizedBlock) => {
      kept = block;
    },
    breakStore: () => {
      storeFails = true;
    },
    pass: (ms: number) => {
      clockMs += ms;
    },
    finalize: (block: Header) => {
      for (let number = 0; number <= block.number; number += 1) {
        if (!blocks.has(number)) blocks.set(number, header(number));
      }
      blocks.set(block.number, block);
      finalized = block;
    },
    /** An RPC that lags: it answers an old finalized block and lacks the newer ones. */
    lag: (block: Header) => {
      finalized = block;
      for (const number of blocks.keys()) if (number > block.number) blocks.delete(number);
    },
  };
}

describe('the proven-finalized block', () => {
  it('moves forward along the chain and is remembered', async () => {
    const { tracker, finalize, kept } = bench();
    finalize(header(10));
    await tracker.start(false);
    finalize(header(12));
    await tracker.poll();
    expect(tracker.current).to.deep.equal(header(12));
    expect(kept()).to.deep.equal({ number: 12, hash: '0xa12' });
  });

  it('ignores and counts a lower answer', async () => {
    const { tracker, finalize, lag, told } = bench();
    finalize(header(10));
    await tracker.start(false);
    lag(header(8));
    await tracker.poll();
    expect(tracker.current?.number).to.equal(10);
    expect(told.lower).to.equal(1);
    expect(tracker.latched).to.equal(undefined);
  });

  it('is latched for good by another hash at its own number', async () => {
    const { tracker, finalize, told } = bench();
    finalize(header(10));
    await tracker.start(false);
    finalize(header(10, 'b'));
    await tracker.poll();
    expect(tracker.latched).to.contain('block 10');
    expect(told.violations).to.have.length(1);
    finalize(header(10));
    finalize(header(14));
    await tracker.poll();
    expect(tracker.current?.number).to.equal(10);
    expect(tracker.latched).to.contain('block 10');
  });

  it('is latched by a fork below it that finality grew on', async () => {
    const { tracker, finalize, told } = bench();
    finalize(header(10));
    await tracker.start(false);
    finalize(header(10, 'b'));
    finalize(header(15, 'b'));
    await tracker.poll();
    expect(tracker.latched).to.contain('block 10');
    expect(told.violations).to.have.length(1);
  });

  it('refuses to start below what was remembered', async () => {
    const { tracker, finalize, remember } = bench();
    remember({ number: 20, hash: '0xa20' });
    finalize(header(10));
    const failure = await tracker.start(false).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(FinalityViolated);
    expect((failure as Error).message).to.contain('below block 20');
  });

  it('refuses to start beside what was remembered, unless the operator says so', async () => {
    const { tracker, finalize, remember } = bench();
    remember({ number: 9, hash: '0xb9' });
    finalize(header(10));
    const failure = await tracker.start(false).catch((error: unknown) => error);
    expect((failure as Error).message).to.contain('another block 9');
    await tracker.start(true);
    expect(tracker.current?.number).to.equal(10);
  });

  it('goes on while it cannot be saved, and says so', async () => {
    const { tracker, finalize, breakStore, told } = bench();
    finalize(header(10));
    await tracker.start(false);
    breakStore();
    finalize(header(11));
    await tracker.poll();
    expect(tracker.current?.number).to.equal(11);
    expect(told.notSaved).to.equal(1);
  });

  describe('how far a reader trails it', () => {
    it('is nothing at the finalized block', async () => {
      const { tracker, finalize, pass } = bench();
      finalize(header(10));
      await tracker.start(false);
      pass(60_000);
      expect(tracker.trailSeconds(header(10))).to.equal(0);
    });

    it('counts from when newer blocks were seen to be final, however many came at once', async () => {
      const { tracker, finalize, pass } = bench();
      finalize(header(10));
      await tracker.start(false);
      pass(5_000);
      finalize(header(500));
      await tracker.poll();
      pass(1_000);
      expect(tracker.trailSeconds(header(10))).to.equal(1);
      finalize(header(501));
      await tracker.poll();
      pass(2_000);
      expect(tracker.trailSeconds(header(10))).to.equal(3);
      expect(tracker.trailSeconds(header(500))).to.equal(2);
    });

    it("counts what was final before the start by the blocks' own times", async () => {
      const { tracker, finalize, pass } = bench();
      finalize(header(210));
      await tracker.start(false);
      pass(1_000);
      expect(tracker.trailSeconds(header(10))).to.equal(401);
    });
  });
});
