// The sweep on real parts: what a Submission names stays, what none names goes once its time is over, and nothing goes
// while the chain cannot be read.

import { expect } from 'chai';
import { createLog } from '../../server/adapters/log.ts';
import { createMetrics } from '../../server/adapters/metrics.ts';
import { type Services, startServices } from '../../server/adapters/services.ts';
import { readConfig } from '../../server/config.ts';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { type Actors, actorsOn, type CreatedBounty } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { type HandSealed, sealByHand } from '../actors/handSealed.ts';
import { submissionFlow } from '../actors/submissionFlow.ts';
import { sharedStack } from '../localStack.ts';

const PORTS = { PORT: '1', PUBLIC_URL: 'http://127.0.0.1:1', PUBLIC_HOSTS: '127.0.0.1:1' };

describe('the sweep', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let services: Services;
  let actors: Actors;
  let clock: Clock;
  let bounty: CreatedBounty;
  let flow: ReturnType<typeof submissionFlow>;

  before(async function () {
    this.timeout(60_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
    const environment = stack.serverEnvironment({
      RATE_PER_ADDRESS: '0',
      UPLOAD_RETENTION_SECONDS: '1',
      UPLOAD_UNNAMED_PER_SOLVER: '50',
      UPLOAD_UNNAMED_PER_ADDRESS: '500',
    });
    server = await startApiServer(environment, { watch: stack.watch });
    services = await startServices(
      readConfig({ ...environment, ...PORTS }),
      createLog('silent'),
      createMetrics(),
      false,
    );
    flow = submissionFlow(stack, server.url, actors);
    bounty = await actors.createBounty();
    await clock.finalizeFor(server.url);
  });

  after(async () => {
    await services?.stop();
    await server?.stop();
  });

  const sealed = (solver: number, text: string): Promise<HandSealed> =>
    sealByHand(stack, bounty, actors.solvers[solver]!.address, new TextEncoder().encode(text));
  const isStored = async ({ envelope }: HandSealed): Promise<boolean> =>
    (await services.byteStore.statCiphertext(envelope.storage.locator)) !== undefined;
  const hasEnvelope = async ({ submissionCommitment }: HandSealed): Promise<boolean> =>
    (await services.byteStore.getEnvelope(String(bounty.bountyId), submissionCommitment)).state === 'found';
  const overdue = () => new Promise((resolve) => setTimeout(resolve, 2_100));

  it('keeps what is named at the head, removes what is not, and lets it come again', async function () {
    this.timeout(60_000);
    const named = await sealed(0, 'named');
    await flow.submit(actors.solvers[0]!, bounty.bountyId, named);
    const prepared = await sealed(1, 'prepared and never recorded');
    expect((await flow.upload(actors.solvers[1]!, bounty.bountyId, prepared)).status).to.equal(201);
    expect((await flow.prepare(actors.solvers[1]!, bounty.bountyId, prepared.envelopeBytes)).status).to.equal(
      200,
    );
    const uploaded = await sealed(2, 'uploaded and never prepared');
    expect((await flow.upload(actors.solvers[2]!, bounty.bountyId, uploaded)).status).to.equal(201);
    await clock.indexed();
    await overdue();

    expect(await services.sweep.run()).to.be.at.least(3);
    expect([await isStored(named), await hasEnvelope(named)]).to.deep.equal([true, true]);
    expect([await isStored(prepared), await hasEnvelope(prepared)]).to.deep.equal([false, false]);
    expect(await isStored(uploaded)).to.equal(false);

    expect((await flow.upload(actors.solvers[1]!, bounty.bountyId, prepared)).status).to.equal(201);
    expect((await flow.prepare(actors.solvers[1]!, bounty.bountyId, prepared.envelopeBytes)).status).to.equal(
      200,
    );
  });

  it('removes what a Solver has overwritten', async function () {
    this.timeout(60_000);
    const first = await sealed(0, 'first');
    await flow.submit(actors.solvers[0]!, bounty.bountyId, first);
    const second = await sealed(0, 'second');
    await flow.submit(actors.solvers[0]!, bounty.bountyId, second);
    await clock.finalizeFor(server.url);
    await overdue();
    await services.sweep.run();
    expect([await isStored(first), await hasEnvelope(first)]).to.deep.equal([false, false]);
    expect([await isStored(second), await hasEnvelope(second)]).to.deep.equal([true, true]);
  });

  it('removes nothing while the index cannot be read', async function () {
    this.timeout(60_000);
    const waiting = await sealed(2, 'waiting');
    expect((await flow.upload(actors.solvers[2]!, bounty.bountyId, waiting)).status).to.equal(201);
    expect((await flow.prepare(actors.solvers[2]!, bounty.bountyId, waiting.envelopeBytes)).status).to.equal(
      200,
    );
    await overdue();
    services.hubIndex.stop();
    await new Promise((resolve) => setTimeout(resolve, 5_500));
    const failure = await services.sweep.run().catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    expect([await isStored(waiting), await hasEnvelope(waiting)]).to.deep.equal([true, true]);
  });
});
