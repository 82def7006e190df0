// An analyst's day: every query of the documentation runs on the real read models and finds what is there.

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import { demoChallenge } from '../../server/local/demoChallenge.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { actorsOn, commitmentOf as nameOf } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { sharedStack } from '../localStack.ts';
import { writtenVerdictBytes } from '../protocol/writtenVerdictDocument.ts';
import { ask } from '../subgraph/readModel.ts';

const PAGE = readFileSync(new URL('../../server/api/docs/corpus/read-model.md', import.meta.url), 'utf8');
const QUERIES = [...PAGE.matchAll(/^(.+)\n\n```graphql (hub|documents)\n([\s\S]*?)```/gm)].map(
  ([, title, subgraph, text]) => ({
    title: title!,
    subgraph: subgraph!,
    text: text!,
  }),
);

describe('the documented queries', () => {
  let stack: LocalStack;
  let values: Record<string, string>;

  before(async function () {
    this.timeout(90_000);
    stack = await sharedStack();
    const actors = actorsOn(stack);
    const clock = clockOf(stack);
    const put = (bytes: Uint8Array) =>
      create({ url: stack.ipfsUrl }).block.put(bytes, { mhtype: 'keccak-256', format: 'raw', pin: true });
    const challenge = new TextEncoder().encode(`${demoChallenge(stack, await clock.now())}\nFor analysts.\n`);
    const report = writtenVerdictBytes({ summary: 'For analysts.' });
    await Promise.all([put(challenge), put(report)]);

    const bounty = await actors.createBounty({ specCommitment: commitmentOf(challenge) });
    const [solver] = actors.solvers;
    const [guardian, ...others] = actors.guardians;
    const work = nameOf('work for analysts');
    await actors.submit(solver!, bounty.bountyId, work);
    const open = await actors.createBounty();
    await clock.warpTo(Number(bounty.submissionDeadline));
    const right = actors.awardTo(solver!, bounty, work);
    await actors.recordVerdict(guardian!, bounty.bountyId, actors.refund);
    await actors.recordVerdict(guardian!, bounty.bountyId, right, commitmentOf(report));
    for (const other of others.slice(0, 3)) await actors.recordVerdict(other, bounty.bountyId, right);
    await actors.settle(bounty.bountyId);
    expect(open.bountyId > bounty.bountyId).to.equal(true);
    const block = await clock.finalize();
    values = {
      BOUNTY: String(bounty.bountyId),
      SOLVER: solver!.address.toLowerCase(),
      GUARDIAN: guardian!.address.toLowerCase(),
      SPEC_COMMITMENT: commitmentOf(challenge),
      REPORT_COMMITMENT: commitmentOf(report),
      BLOCK: String(block),
    };
    for (const document of ['challengeDocument', 'reportDocument']) {
      const id = document === 'challengeDocument' ? values.SPEC_COMMITMENT : values.REPORT_COMMITMENT;
      for (let tries = 0; tries < 40; tries += 1) {
        if ((await ask(stack.documentsUrl, `{ ${document}(id: "${id}") { id } }`))[document] !== null) break;
        // graph-node takes up what it found with the next block, and wants a pause between blocks.
        await new Promise((resolve) => setTimeout(resolve, 700));
        await clock.mine();
      }
    }
  });

  it('are ten at least, over both subgraphs', () => {
    expect(QUERIES.length).to.be.at.least(10);
    expect(new Set(QUERIES.map(({ subgraph }) => subgraph))).to.deep.equal(new Set(['hub', 'documents']));
    expect(QUERIES.length).to.equal([...PAGE.matchAll(/```graphql/g)].length);
  });

  for (const { title, subgraph, text } of QUERIES) {
    it(title, async () => {
      const query = Object.entries(values).reduce(
        (filled, [name, value]) => filled.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), value),
        text,
      );
      const data = await ask(subgraph === 'hub' ? stack.subgraphUrl : stack.documentsUrl, query);
      for (const rows of Object.values(data)) {
        expect(rows, query).to.not.equal(null);
        if (Array.isArray(rows)) expect(rows, query).to.not.have.length(0);
      }
    });
  }
});
