// The one-shot job of docker-compose on the real graph-node: `graph create` and `graph deploy` through its admin port and
// the IPFS node's `add`. gnd, the graph-node of tests, looks for a deployment's files by their IPFS names in its own
// folder and never asks IPFS for them, so the test lays what was added there; everything else is as in production.

import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import type { LocalStack } from '../../server/local/stack.ts';
import { deploySubgraphs, type SubgraphDeployment } from '../../subgraph/deploy.ts';
import { actorsOn } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { ownStack } from '../localStack.ts';
import { ask } from '../subgraph/readModel.ts';

const SUBGRAPHS = fileURLToPath(new URL('../../subgraph/', import.meta.url));
const FACTS = `{
  bounties(first: 1000, orderBy: number, block: {number: BLOCK}) { id status poster amount specCommitment roster { id size } }
  submissions(first: 1000, orderBy: id, block: {number: BLOCK}) { id solver blockHash }
}`;

describe('deploying the subgraphs', function () {
  this.timeout(120_000);
  let folder: string;
  let stack: LocalStack;
  let target: SubgraphDeployment;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deploying-'));
    for (const name of ['hub', 'documents']) await symlink(join(SUBGRAPHS, name), join(folder, name));
    stack = await ownStack({ subgraphFolder: folder });
    const { http, admin } = stack.parts.graphNode.current.ports;
    target = {
      network: 'local',
      adminUrl: `http://127.0.0.1:${admin}`,
      ipfsUrl: stack.ipfsUrl,
      queryUrl: `http://127.0.0.1:${http}`,
    };
  });
  after(async () => {
    await stack?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Lays every file that graph-cli has added to IPFS where gnd looks for it. */
  const layOut = async (): Promise<number> => {
    const { pin, cat } = create({ url: stack.ipfsUrl });
    let count = 0;
    for await (const { cid } of pin.ls()) {
      const parts: Uint8Array[] = [];
      try {
        for await (const part of cat(cid)) parts.push(part);
      } catch {
        continue;
      }
      await writeFile(join(folder, cid.toString()), Buffer.concat(parts));
      count += 1;
    }
    return count;
  };

  it('answers under its own name and id, with the same facts, and again with the same id', async () => {
    const actors = actorsOn(stack);
    const { bountyId } = await actors.createBounty();
    await actors.submit(actors.solvers[0]!, bountyId, `0x${'ab'.repeat(32)}`);
    const block = await clockOf(stack).finalize();

    // Each subgraph's first attempt adds its files and is refused, for gnd does not see them yet.
    let ids: Awaited<ReturnType<typeof deploySubgraphs>> | undefined;
    for (let tries = 0; tries < 3 && ids === undefined; tries += 1) {
      ids = await deploySubgraphs(target).catch((error: Error) => {
        expect(error.message).to.contain('Failed to deploy to Graph node');
        return undefined;
      });
      if (ids === undefined) expect(await layOut()).to.be.greaterThan(3);
    }
    expect(ids?.hub).to.match(/^Qm/).and.to.not.equal(ids?.documents);

    const deployed = `${target.queryUrl}/subgraphs/name/bounty/hub`;
    const facts = FACTS.replaceAll('BLOCK', String(block));
    let answer: { bounties: unknown[]; submissions: unknown[] } | undefined;
    for (let tries = 0; tries < 100 && answer === undefined; tries += 1) {
      answer = await ask(deployed, facts).catch(() => undefined);
      if (answer === undefined) await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(answer).to.deep.equal(await ask(stack.subgraphUrl, facts));
    expect([answer?.bounties.length, answer?.submissions.length]).to.deep.equal([1, 1]);
    expect((await ask(deployed, '{ _meta { deployment } }'))._meta.deployment).to.equal(ids?.hub);
    expect(await deploySubgraphs(target)).to.deep.equal(ids);
  });
});
