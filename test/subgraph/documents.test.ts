// The documents subgraph on the real graph-node: only bytes that hash to what was committed, and only documents. Nothing
// that lies under a commitment stops it.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import type { Hex } from 'viem';
import type { LocalStack } from '../../server/local/stack.ts';
import { commitmentLocator } from '../../server/protocol/address.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { type Actors, actorsOn } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { sharedStack } from '../localStack.ts';
import { densestText } from './densestText.ts';
import { ask } from './readModel.ts';

const KIBIBYTE = 1024;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const challenge = (title: string, body: string, profile = 'scientific-bounty-challenge/v0'): Uint8Array =>
  bytesOf(
    `---\nprofile: ${profile}\ntitle: ${title}\nsummary: >-\n  First line,\n  second line.\n---\n\n${body}`,
  );

describe('the documents subgraph', () => {
  let stack: LocalStack;
  let actors: Actors;
  let clock: Clock;

  before(async function () {
    this.timeout(90_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
  });

  const store = (bytes: Uint8Array, mhtype = 'keccak-256') =>
    create({ url: stack.ipfsUrl }).block.put(bytes, { mhtype, format: 'raw', pin: true });

  const commit = async (bytes: Uint8Array): Promise<Hex> => {
    const specCommitment = commitmentOf(bytes);
    await actors.createBounty({ specCommitment });
    return specCommitment;
  };

  const document = async (commitment: Hex) =>
    (
      await ask(
        stack.documentsUrl,
        `{ challengeDocument(id: "${commitment}") { title summary text byteLength cid } }`,
      )
    ).challengeDocument;

  /** graph-node takes up what it found with the next block, and notices no block while they come without a pause. */
  const until = async <T>(found: () => Promise<T | null> | T | null): Promise<T> => {
    for (let tries = 0; tries < 60; tries += 1) {
      const value = await found();
      if (value !== null) return value;
      await clock.mine();
      await sleep(600);
    }
    throw new Error('It did not appear.');
  };

  const expectRunning = async () => {
    const { _meta } = await ask(stack.documentsUrl, '{ _meta { hasIndexingErrors } }');
    expect(_meta.hasIndexingErrors).to.equal(false);
  };

  it('picks up challenges and reports that appear after their commitments, and finds their words', async function () {
    this.timeout(90_000);
    const bytes = challenge('"Yield"', '# Yield of zirconocene\n');
    const report = challenge('-', '## Summary\n\nMeasured by ellipsometry.\n', 'written-verdict/v0');
    const specCommitment = await commit(bytes);
    const bounty = await actors.createBounty({ specCommitment });
    await clock.warpTo(Number(bounty.submissionDeadline));
    await actors.recordVerdict(actors.guardians[0]!, bounty.bountyId, actors.refund, commitmentOf(report));
    await clock.indexed();
    expect(await document(specCommitment)).to.equal(null);
    await store(bytes);
    await store(report);
    expect(await until(() => document(specCommitment))).to.deep.equal({
      title: 'Yield',
      summary: 'First line, second line.',
      text: new TextDecoder().decode(bytes),
      byteLength: bytes.length,
      cid: commitmentLocator(specCommitment).replace('ipfs://', ''),
    });
    const text = await until(async () => {
      const { reportSearch } = await ask(
        stack.documentsUrl,
        '{ reportSearch(text: "ellipsometry") { id text } }',
      );
      return reportSearch[0] ?? null;
    });
    expect(text).to.deep.equal({ id: commitmentOf(report), text: new TextDecoder().decode(report) });
    const { challengeSearch } = await ask(
      stack.documentsUrl,
      '{ challengeSearch(text: "zirconocene") { id } }',
    );
    expect(challengeSearch).to.deep.equal([{ id: specCommitment }]);
  });

  it('is stopped by no junk under a commitment, and indexes what is only strange', async function () {
    this.timeout(90_000);
    const envelope = bytesOf('{"schema":"submission-envelope/v0"}');
    const junk = [
      new Uint8Array(0),
      Uint8Array.from({ length: 4096 }, (_, index) => (index * 37) % 256),
      challenge('NUL', 'A NUL \0 in it'),
      Uint8Array.from([...challenge('Broken', 'UTF-8: '), 0xc3, 0x28, 0xff]),
      Uint8Array.from([...challenge('Half a pair', ''), 0xed, 0xa0, 0x80]),
      bytesOf('no document at all'),
      bytesOf('---\nprofile: scientific-bounty-challenge/v0\ntitle: Without an end\n'),
      bytesOf('profile: scientific-bounty-challenge/v0\n---\ntitle: Without a beginning\n'),
      bytesOf('---\nprofile: scientific-bounty-challenge/v0'.repeat(3)),
      challenge('Of another kind', 'A report is no challenge.', 'written-verdict/v0'),
      challenge('Of a later kind', '', 'scientific-bounty-challenge/v01'),
      challenge(
        'One byte too long',
        densestText(256 * KIBIBYTE + 1 - challenge('One byte too long', '').length),
      ),
      envelope,
    ];
    const emoji = '🧪'.repeat(150);
    const strange = [
      challenge(`x${emoji}`, 'A title whose limit falls between the halves of a character.'),
      challenge('Dense', densestText(256 * KIBIBYTE - challenge('Dense', '').length)),
      bytesOf("---\r\nprofile: 'scientific-bounty-challenge/v0'\r\n---\r\n"),
    ];
    for (const bytes of [...junk, ...strange]) {
      await store(bytes);
      await commit(bytes);
    }
    const [clipped, dense] = await Promise.all(
      strange.map((bytes) => until(() => document(commitmentOf(bytes)))),
    );
    expect(clipped.title).to.equal(`x${'🧪'.repeat(99)}`);
    expect(dense.byteLength).to.equal(256 * KIBIBYTE);
    for (const bytes of junk) expect(await document(commitmentOf(bytes))).to.equal(null);
    await expectRunning();
  });

  it('finds nothing under a commitment whose bytes are stored under another address', async function () {
    this.timeout(30_000);
    const hidden = challenge('Hidden', 'Stored as envelopes are: under its SHA-256.');
    await store(hidden, 'sha2-256');
    const later = challenge('Later', 'Committed after it, found.');
    await store(later);
    const commitment = await commit(hidden);
    await commit(later);
    await until(() => document(commitmentOf(later)));
    expect(await document(commitment)).to.equal(null);
  });

  it('saves nothing that does not hash, however large, when its IPFS node lies', async function () {
    this.timeout(90_000);
    const promised = challenge('Promised', 'What was committed.');
    const huge = challenge('Huge', 'What was committed, and 20 MB come instead.');
    const asked = new Set<string>();
    const cidOf = (bytes: Uint8Array) => commitmentLocator(commitmentOf(bytes)).replace('ipfs://', '');
    const answers = new Map<string, Uint8Array>([
      [cidOf(promised), challenge('Promised', 'What was never committed.')],
      [cidOf(huge), new Uint8Array(20_000_000).fill(0x2d)],
    ]);
    const liar = createServer((request, response) => {
      const cid = new URL(request.url!, stack.ipfsUrl).searchParams.get('arg') ?? '';
      const answer = answers.get(cid);
      if (answer === undefined) return void response.writeHead(500).end();
      response.end(answer, () => asked.add(cid));
    });
    await stack.parts.ipfs.stop();
    try {
      liar.listen(Number(new URL(stack.ipfsUrl).port), '127.0.0.1');
      await once(liar, 'listening');
      await commit(promised);
      await commit(huge);
      await until(() => (asked.size === answers.size ? true : null));
    } finally {
      liar.closeAllConnections();
      await new Promise((resolve) => liar.close(resolve));
      await stack.parts.ipfs.start();
    }
    const honest = challenge('Honest', 'Indexed after the lies.');
    await store(honest);
    await commit(honest);
    await until(() => document(commitmentOf(honest)));
    for (const bytes of [promised, huge]) expect(await document(commitmentOf(bytes))).to.equal(null);
    await expectRunning();
  });
});
