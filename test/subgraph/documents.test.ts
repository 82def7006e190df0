// The documents subgraph on the real graph-node: only bytes that hash to what was committed, and only documents.

import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import type { Hex } from 'viem';
import type { LocalStack } from '../../server/local/stack.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { type Actors, actorsOn } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { sharedStack } from '../localStack.ts';
import { ask } from './readModel.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const CHALLENGE =
  '---\nprofile: scientific-bounty-challenge/v0\ntitle: Yield\n---\n\n# Yield of zirconocene\n\nText.\n';

describe('the documents subgraph', () => {
  let stack: LocalStack;
  let actors: Actors;
  let clock: Clock;

  before(async function () {
    this.timeout(60_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
  });

  const store = (bytes: Uint8Array) =>
    create({ url: stack.ipfsUrl }).block.put(bytes, { mhtype: 'keccak-256', format: 'raw', pin: true });

  const document = async (commitment: Hex) =>
    (
      await ask(
        stack.documentsUrl,
        `{ challengeDocument(id: "${commitment}") { title text byteLength cid } }`,
      )
    ).challengeDocument;

  const untilThere = async (commitment: Hex) => {
    for (let tries = 0; tries < 60; tries += 1) {
      const found = await document(commitment);
      if (found !== null) return found;
      // graph-node takes up what it found with the next block; blocks a tenth of a second apart leave it no time to.
      await clock.mine();
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error('The document did not appear.');
  };

  it('picks up bytes that appear after their commitment, and finds their words', async function () {
    this.timeout(60_000);
    const bytes = bytesOf(CHALLENGE);
    const specCommitment = commitmentOf(bytes);
    await actors.createBounty({ specCommitment });
    await clock.indexed();
    expect(await document(specCommitment)).to.equal(null);
    await store(bytes);
    expect(await untilThere(specCommitment)).to.deep.include({
      title: 'Yield',
      text: CHALLENGE,
      byteLength: bytes.length,
    });
    const { challengeSearch } = await ask(
      stack.documentsUrl,
      '{ challengeSearch(text: "zirconocene") { id } }',
    );
    expect(challengeSearch).to.deep.equal([{ id: specCommitment }]);
  });

  it('is stopped by no junk under a commitment', async function () {
    this.timeout(60_000);
    const junk = [
      Uint8Array.from({ length: 4096 }, (_, index) => (index * 37) % 256),
      bytesOf(`---\nprofile: scientific-bounty-challenge/v0\n---\n# With a NUL \0 in it\n`),
      Uint8Array.from([...bytesOf('---\nprofile: scientific-bounty-challenge/v0\n---\n'), 0xc3, 0x28, 0xff]),
      bytesOf('no document at all'),
      new Uint8Array(300 * 1024).fill(0x2d),
    ];
    for (const bytes of junk) {
      await store(bytes);
      await actors.createBounty({ specCommitment: commitmentOf(bytes) });
    }
    const good = bytesOf(`${CHALLENGE}\nAfter the junk.\n`);
    await store(good);
    await actors.createBounty({ specCommitment: commitmentOf(good) });
    await clock.indexed();
    await untilThere(commitmentOf(good));
    for (const bytes of junk) expect(await document(commitmentOf(bytes))).to.equal(null);
    const { _meta } = await ask(stack.documentsUrl, '{ _meta { hasIndexingErrors } }');
    expect(_meta.hasIndexingErrors).to.equal(false);
  });
});
