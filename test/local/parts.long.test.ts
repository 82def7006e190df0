// Single parts of a stack taken away and given back: what fault tests build on.

import { expect } from 'chai';
import { indexedHead } from '../../server/local/graphNode.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { actorsOn } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { ownStack } from '../localStack.ts';

describe('parts of the local stack', function () {
  this.timeout(120_000);
  let stack: LocalStack;

  before(async () => {
    stack = await ownStack();
  });
  after(() => stack?.stop());

  it('kills graph-node and PostgreSQL and starts them again at the same addresses, with what they knew', async () => {
    const { graphNode, postgres } = stack.parts;
    const clock = clockOf(stack);
    await actorsOn(stack).createBounty();
    const block = await clock.finalize();

    await graphNode.kill();
    expect(await indexedHead(stack.subgraphUrl)).to.equal(undefined);
    await postgres.kill();
    await postgres.start();
    await graphNode.start();
    await clock.indexed();
    expect((await indexedHead(stack.subgraphUrl))?.blockNumber).to.be.at.least(block);
    expect(graphNode.current.subgraphUrl).to.equal(stack.subgraphUrl);
    expect(postgres.current.serviceUrl).to.equal(stack.databaseUrl);
  });

  it('stops and starts the IPFS node, the beacon and the reviewer at the same addresses', async () => {
    const { ipfs, drand, reviewer } = stack.parts;
    for (const part of [ipfs, drand, reviewer]) {
      const { url } = part.current;
      await part.stop();
      expect(await fetch(url).catch(() => 'refused')).to.equal('refused');
      expect((await part.start()).url).to.equal(url);
      expect(await fetch(url).catch(() => 'refused')).to.not.equal('refused');
    }
  });

  it('holds the chain, which then does not answer, and lets it go on', async () => {
    const clock = clockOf(stack);
    const before = await clock.blockNumber();
    stack.parts.chain.pause();
    // The signal reaches a busy process's threads one by one.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const quick = await Promise.race([
      clock.blockNumber(),
      new Promise((resolve) => setTimeout(resolve, 500, 'held')),
    ]);
    expect(quick).to.equal('held');
    stack.parts.chain.resume();
    expect(await clock.blockNumber()).to.equal(before);
  });
});
