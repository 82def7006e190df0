// An upload that dies at 90 %: by its sender, and with its server. Nothing of it stays, and a fresh URL brings it home.

import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import { type LocalApiServer, startApiServer } from '../../../server/local/apiServer.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { type Actors, actorsOn, type CreatedBounty } from '../../actors/actors.ts';
import { clockOf } from '../../actors/clock.ts';
import { type HandSealed, sealByHand } from '../../actors/handSealed.ts';
import { submissionFlow } from '../../actors/submissionFlow.ts';
import { sharedStack } from '../../localStack.ts';

const PLAINTEXT_BYTES = 4 * 1024 * 1024;

describe('an upload that is killed at 90 %', function () {
  this.timeout(60_000);
  let stack: LocalStack;
  let actors: Actors;
  let spool: string;
  let server: LocalApiServer;
  let bounty: CreatedBounty;

  before(async () => {
    stack = await sharedStack();
    actors = actorsOn(stack);
    spool = await mkdtemp(join(tmpdir(), 'spool-'));
    server = await start();
    bounty = await actors.createBounty();
    await clockOf(stack).finalizeFor(server.url);
  });
  after(async () => {
    await server?.stop();
    await rm(spool, { recursive: true, force: true });
  });

  const start = (): Promise<LocalApiServer> =>
    startApiServer(stack.serverEnvironment({ TMPDIR: spool, UPLOAD_UNNAMED_PER_ADDRESS: '1000' }), {
      watch: stack.watch,
    });

  const spooledFiles = async (): Promise<string[]> =>
    (await readdir(spool)).filter((name) => name.startsWith('upload-'));

  const storedBlocks = async (): Promise<bigint> =>
    (await create({ url: stack.ipfsUrl }).repo.stat()).numObjects;

  /** Sends nine tenths of a PUT and leaves the connection open. */
  const sendMost = async (url: string, { ciphertext }: HandSealed) => {
    const { port, pathname } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(
      `PUT ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/octet-stream\r\n` +
        `Content-Length: ${ciphertext.length}\r\n\r\n`,
    );
    const most = ciphertext.subarray(0, Math.floor(ciphertext.length * 0.9));
    await new Promise((resolve) => socket.write(most, resolve));
    return socket;
  };

  const begin = async (solverIndex: number) => {
    const solver = actors.solvers[solverIndex]!;
    const flow = submissionFlow(stack, server.url, actors);
    const sealed = await sealByHand(stack, bounty, solver.address, new Uint8Array(PLAINTEXT_BYTES));
    const issued = await flow.requestUrl(solver, bounty.bountyId, sealed);
    expect(issued.status, JSON.stringify(issued.body)).to.equal(200);
    return { solver, sealed, url: issued.body.upload.url as string };
  };

  it('leaves nothing when its sender goes, and is repeated with a fresh URL', async () => {
    const { solver, sealed, url } = await begin(0);
    const before = await storedBlocks();
    const socket = await sendMost(url, sealed);
    await sleep(200);
    socket.destroy();
    await sleep(200);
    expect(await spooledFiles()).to.deep.equal([]);
    expect(await storedBlocks()).to.equal(before);

    const flow = submissionFlow(stack, server.url, actors);
    const spent = await flow.put(url, sealed.ciphertext);
    expect([spent.status, spent.body.error.code]).to.deep.equal([410, 'upload_url_spent']);
    const early = await flow.prepare(solver, bounty.bountyId, sealed.envelopeBytes);
    expect(early.status, 'nothing was stored').to.equal(400);
    await flow.submit(solver, bounty.bountyId, sealed);
  });

  it('leaves nothing when its server is killed, and is repeated at the next one', async () => {
    const { solver, sealed, url } = await begin(1);
    const before = await storedBlocks();
    const socket = await sendMost(url, sealed);
    await sleep(200);
    await server.kill();
    socket.destroy();
    expect(await spooledFiles()).to.deep.equal([]);
    expect(await storedBlocks()).to.equal(before);

    server = await start();
    const flow = submissionFlow(stack, server.url, actors);
    const early = await flow.prepare(solver, bounty.bountyId, sealed.envelopeBytes);
    expect(early.status, 'nothing was stored').to.equal(400);
    await flow.submit(solver, bounty.bountyId, sealed);
  });
});
