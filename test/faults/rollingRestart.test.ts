// Two servers behind a load balancer, replaced one after the other under load: nobody notices.

import { expect } from 'chai';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { type Actors, actorsOn, type CreatedBounty } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { sealByHand } from '../actors/handSealed.ts';
import { signerOf } from '../actors/signedRequest.ts';
import { submissionFlow } from '../actors/submissionFlow.ts';
import { sharedStack } from '../localStack.ts';
import { type Balancer, startBalancer } from './balancer.ts';

const CLIENTS = 8;

describe('a rolling restart of two servers', function () {
  this.timeout(90_000);
  let stack: LocalStack;
  let actors: Actors;
  let balancer: Balancer;
  let bounty: CreatedBounty;
  let contentPath: string;
  const servers: LocalApiServer[] = [];

  const start = (port?: string): Promise<LocalApiServer> =>
    startApiServer(
      stack.serverEnvironment({
        ...(port === undefined ? {} : { PORT: port }),
        PUBLIC_URL: balancer.url,
        PUBLIC_HOSTS: new URL(balancer.url).host,
        DRAIN_SECONDS: '1',
        RATE_PER_ADDRESS: '0',
        RATE_PER_SIGNER: '0',
        UPLOAD_UNNAMED_PER_ADDRESS: '1000',
      }),
      { watch: stack.watch },
    );

  before(async () => {
    stack = await sharedStack();
    actors = actorsOn(stack);
    balancer = await startBalancer(() => servers.map(({ url }) => url));
    servers.push(...(await Promise.all([start(), start()])));
    const clock = clockOf(stack);
    bounty = await actors.createBounty();
    for (const { url } of servers) await clock.finalizeFor(url);
    const solver = actors.solvers[0]!;
    const sealed = await sealByHand(stack, bounty, solver.address, new Uint8Array(100_000));
    await submissionFlow(stack, balancer.url, actors).submit(solver, bounty.bountyId, sealed);
    for (const { url } of servers) await clock.finalizeFor(url);
    contentPath = `/api/bounties/${bounty.bountyId}/submissions/${sealed.submissionCommitment}/content`;
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await balancer?.stop();
  });

  it('fails no request: public, signed, and downloads that are under way', async () => {
    const signer = signerOf(stack, balancer.url);
    const requests = [
      () => fetch(`${balancer.url}/api/bounties/${bounty.bountyId}`).then(({ status }) => status),
      () => signer.send(actors.poster, { method: 'GET', target: contentPath }).then(({ status }) => status),
      async () => {
        const { body } = await signer.send(actors.guardians[1]!, { method: 'GET', target: contentPath });
        const response = await fetch(body.ciphertext.url);
        const { byteLength } = await response.arrayBuffer();
        return byteLength === body.ciphertext.byte_length ? response.status : -1;
      },
    ];
    const statuses = new Map<number, number>();
    let going = true;
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = client; going; turn += 1) {
        const status = await requests[turn % requests.length]!();
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    for (const index of [0, 1]) {
      const old = servers[index]!;
      expect(await old.stop()).to.equal(0);
      servers[index] = await start(new URL(old.url).port);
      const before = balancer.answered.get(servers[index].url) ?? 0;
      while ((balancer.answered.get(servers[index].url) ?? 0) < before + 20)
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
    going = false;
    await Promise.all(clients);
    expect([...statuses.keys()], JSON.stringify([...statuses])).to.deep.equal([200]);
    expect(statuses.get(200)).to.be.greaterThan(100);
  });
});
