// The server's own memory while packages of 50 MiB come in and go out: one at a time, and eight at once.

import { randomFillSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { type LocalApiServer, startApiServer } from '../../../server/local/apiServer.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { sha256Hex } from '../../../server/protocol/sha256Hex.ts';
import { type Actors, actorsOn } from '../../actors/actors.ts';
import { clockOf } from '../../actors/clock.ts';
import { type SignedAnswer, signerOf } from '../../actors/signedRequest.ts';
import { sharedStack } from '../../localStack.ts';

const MIB = 1024 * 1024;
const PACKAGE_BYTES = 50 * MIB;
const WARM_UPS = 3;
const AT_ONCE = 8;

describe('the memory of a server under uploads', function () {
  this.timeout(300_000);
  let stack: LocalStack;
  let actors: Actors;
  let server: LocalApiServer;
  let bountyId: bigint;
  const content = randomFillSync(new Uint8Array(PACKAGE_BYTES));
  let packages = 0;

  before(async function () {
    if (process.platform !== 'linux') {
      console.log('      skipped: the memory of another process is read from /proc, which this system lacks');
      this.skip();
    }
    stack = await sharedStack();
    actors = actorsOn(stack);
    server = await startApiServer(
      stack.serverEnvironment({
        UPLOAD_UNNAMED_PER_SOLVER: '1000',
        UPLOAD_UNNAMED_PER_ADDRESS: '10000',
        RATE_PER_ADDRESS: '0',
        RATE_PER_SIGNER: '0',
      }),
      { watch: stack.watch },
    );
    ({ bountyId } = await actors.createBounty());
    await clockOf(stack).finalizeFor(server.url);
  });
  after(async () => {
    await server?.stop();
  });

  const residentBytes = async (): Promise<number> => {
    const status = await readFile(`/proc/${server.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  };

  const growthDuring = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await residentBytes();
    let highest = before;
    let measuring = true;
    const measured = (async () => {
      while (measuring) {
        highest = Math.max(highest, await residentBytes());
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    await work();
    measuring = false;
    await measured;
    return highest - before;
  };

  /** Uploads a package that nobody has uploaded before. */
  const upload = async (): Promise<void> => {
    packages += 1;
    const prefix = new Uint8Array(16);
    new DataView(prefix.buffer).setUint32(0, packages);
    const bytes = new Blob([prefix, content.subarray(prefix.length)]);
    const solver = actors.solvers[packages % actors.solvers.length]!;
    const issued: SignedAnswer = await signerOf(stack, server.url).send(solver, {
      method: 'POST',
      target: `/api/bounties/${bountyId}/submissions/${solver.address}/artifact-upload-url`,
      body: {
        ciphertext_sha256: sha256Hex(new Uint8Array(await bytes.arrayBuffer())),
        ciphertext_byte_length: bytes.size,
      },
    });
    expect(issued.status, JSON.stringify(issued.body)).to.equal(200);
    const response = await fetch(issued.body.upload.url, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: bytes,
    });
    expect(response.status, await response.text()).to.equal(201);
  };

  it('grows by less than 16 MiB for one of 50 MiB, once it is warm', async () => {
    for (let time = 0; time < WARM_UPS; time += 1) await upload();
    expect(await growthDuring(upload)).to.be.lessThan(16 * MIB);
  });

  it('grows by less than 64 MiB for eight at once', async () => {
    const all = (): Promise<unknown> => Promise.all(Array.from({ length: AT_ONCE }, upload));
    expect(await growthDuring(all)).to.be.lessThan(64 * MIB);
  });
});
