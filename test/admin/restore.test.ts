// A lost IPFS repository: the audit names what is gone, an export brings it back into an empty node, and a server on that
// node serves every challenge, envelope and ciphertext, each verified.

import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openByteStore } from '../../server/adapters/byteStore.ts';
import type { Audit } from '../../server/admin/audit.ts';
import { startApiServer } from '../../server/local/apiServer.ts';
import { demoChallenge } from '../../server/local/demoChallenge.ts';
import { type LocalIpfsNode, startIpfsNode } from '../../server/local/ipfsNode/startIpfsNode.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { type Actors, actorsOn, type CreatedBounty } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { type HandSealed, sealByHand } from '../actors/handSealed.ts';
import { answerOf, signerOf } from '../actors/signedRequest.ts';
import { submissionFlow } from '../actors/submissionFlow.ts';
import { cli } from '../cli/stage.ts';
import { ownStack } from '../localStack.ts';

describe('a lost IPFS repository', function () {
  this.timeout(120_000);
  let stack: LocalStack;
  let actors: Actors;
  let folder: string;
  let car: string;
  let empty: LocalIpfsNode;
  let bounty: CreatedBounty;
  let challenge: string;
  const sealed: HandSealed[] = [];

  const chain = () => ['--rpc-url', stack.rpcUrl, '--hub', stack.hubAddress];
  const auditOf = async (ipfsUrl: string): Promise<{ code: number; result: Audit; log: string }> => {
    const index = ['--subgraph-url', stack.subgraphUrl];
    const { code, out, log } = await cli(['admin', 'audit', ...chain(), '--ipfs-url', ipfsUrl, ...index]);
    return { code, result: JSON.parse(out) as Audit, log };
  };

  before(async () => {
    stack = await ownStack();
    actors = actorsOn(stack);
    const clock = clockOf(stack);
    folder = await mkdtemp(join(tmpdir(), 'restore-'));
    car = join(folder, 'bytes.car');
    empty = await startIpfsNode({ dataDir: join(folder, 'empty') });
    const server = await startApiServer(stack.serverEnvironment(), { watch: stack.watch });
    challenge = demoChallenge(stack, await clock.now());
    const bytes = new TextEncoder().encode(challenge);
    await openByteStore(stack.ipfsUrl).putDocument(bytes);
    bounty = await actors.createBounty({ specCommitment: commitmentOf(bytes) });
    await clock.finalizeFor(server.url);
    for (const [index, size] of [1_000, 3_000_000].entries()) {
      const solver = actors.solvers[index]!;
      const one = await sealByHand(stack, bounty, solver.address, new Uint8Array(size).fill(index));
      await submissionFlow(stack, server.url, actors).submit(solver, bounty.bountyId, one);
      sealed.push(one);
    }
    await clock.warpTo(Number(bounty.submissionDeadline));
    const report = new TextEncoder().encode('a report\n');
    await openByteStore(stack.ipfsUrl).putDocument(report);
    await actors.recordVerdict(actors.guardians[0]!, bounty.bountyId, actors.refund, commitmentOf(report));
    await clock.finalizeFor(server.url);
    await server.stop();
  });
  after(async () => {
    await empty?.stop();
    await stack?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('is whole before: every commitment is there and indexed', async () => {
    const { code, result } = await auditOf(stack.ipfsUrl);
    expect(code, JSON.stringify(result)).to.equal(0);
    expect(result.rows.map(({ kind }) => kind).sort()).to.deep.equal([
      'challenge',
      'ciphertext',
      'ciphertext',
      'envelope',
      'envelope',
      'report',
    ]);
    expect(result.index).to.deep.equal({
      BountyCreated: { logs: 1, indexed: 1 },
      SubmissionRecorded: { logs: 2, indexed: 2 },
      VerdictRecorded: { logs: 1, indexed: 1 },
      settled: { logs: 0, indexed: 0 },
    });
  });

  it('is exported into one CAR file, and an existing file is left alone', async () => {
    const run = () => cli(['admin', 'export', ...chain(), '--ipfs-url', stack.ipfsUrl, '--out', car]);
    const { code, out } = await run();
    expect(code).to.equal(0);
    expect(JSON.parse(out)).to.deep.include({ documents: 2, envelopes: 2, ciphertexts: 2 });
    const { size } = await stat(car);
    expect(size).to.be.greaterThan(3_000_000);
    expect((await run()).code).to.equal(1);
    expect((await stat(car)).size).to.equal(size);
  });

  it('is named piece by piece when it is lost', async () => {
    const { code, result, log } = await auditOf(empty.url);
    expect(code).to.equal(1);
    expect(result.rows.map(({ state }) => state)).to.deep.equal(['missing', 'missing', 'missing', 'missing']);
    expect(log)
      .to.contain(`missing challenge ${bounty.specCommitment}`)
      .and.to.contain('next: Import an export.');
  });

  it('takes nothing from a file that was changed or cut off', async () => {
    const bytes = await readFile(car);
    const cut = join(folder, 'cut.car');
    await writeFile(cut, bytes.subarray(0, bytes.length - 1_000_000));
    const changed = join(folder, 'changed.car');
    const other = Buffer.from(bytes);
    other[other.length - 10]! ^= 1;
    await writeFile(changed, other);
    for (const file of [cut, changed, join(folder, 'absent.car')])
      expect((await cli(['admin', 'import', file, '--ipfs-url', empty.url])).code, file).to.not.equal(0);
    const { result } = await auditOf(empty.url);
    const last = sealed[1]!.submissionCommitment;
    expect(result.rows.find(({ name }) => name === last)?.state).to.equal('missing');
  });

  it('comes back whole, and a server on the new node serves all of it', async () => {
    const imported = await cli(['admin', 'import', car, '--ipfs-url', empty.url]);
    expect(imported.code, imported.log).to.equal(0);
    const { code, result } = await auditOf(empty.url);
    expect(code, JSON.stringify(result)).to.equal(0);
    const environment = stack.serverEnvironment({ IPFS_API_URL: empty.url });
    const server = await startApiServer(environment, { watch: stack.watch });
    try {
      const detail = await (await fetch(`${server.url}/api/bounties/${bounty.bountyId}`)).json();
      expect(detail).to.include({ challenge });
      for (const { submissionCommitment, envelopeBytes } of sealed) {
        const target = `/api/bounties/${bounty.bountyId}/submissions/${submissionCommitment}/content`;
        const { status, body } = await signerOf(stack, server.url).send(actors.poster, {
          method: 'GET',
          target,
        });
        expect(status, JSON.stringify(body)).to.equal(200);
        expect(body.envelope).to.equal(new TextDecoder().decode(envelopeBytes));
        const bytes = (await answerOf(await fetch(body.ciphertext.url))).body as Uint8Array;
        expect(createHash('sha256').update(bytes).digest('hex')).to.equal(body.ciphertext.sha256);
      }
    } finally {
      await server.stop();
    }
  });
});
