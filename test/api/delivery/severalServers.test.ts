// Two servers on one database behave as one, and a new delivery key leaves what was wrapped to the old one readable.

import { expect } from 'chai';
import { type LocalApiServer, startApiServer } from '../../../server/local/apiServer.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { decodeBase64Url, encodeBase64Url } from '../../../server/protocol/base64Url.ts';
import { deliveryBinding, openKey, posterBinding, wrapKey } from '../../../server/protocol/keyWrap.ts';
import { x25519PublicKey } from '../../../server/protocol/x25519KeyPair.ts';
import { type Actors, actorsOn, type CreatedBounty } from '../../actors/actors.ts';
import { type Clock, clockOf } from '../../actors/clock.ts';
import { type HandSealed, sealByHand } from '../../actors/handSealed.ts';
import { answerOf, signerOf } from '../../actors/signedRequest.ts';
import { submissionFlow } from '../../actors/submissionFlow.ts';
import { sharedStack } from '../../localStack.ts';

const random = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(32));

describe('several servers', () => {
  let stack: LocalStack;
  let actors: Actors;
  let clock: Clock;
  let servers: LocalApiServer[];
  let bounty: CreatedBounty;
  let sealed: HandSealed;
  const oldKey = random();
  const newKey = random();

  const start = (delivery: Record<string, string>): Promise<LocalApiServer> =>
    startApiServer(
      stack.serverEnvironment({
        RATE_PER_ADDRESS: '0',
        UPLOAD_UNNAMED_PER_SOLVER: '1000',
        UPLOAD_UNNAMED_PER_ADDRESS: '10000',
        RATE_PER_SIGNER: '0',
        ...delivery,
      }),
      {
        watch: stack.watch,
      },
    );

  const wrapAt = async (server: LocalApiServer, guardian: number) => {
    const key = (await answerOf(await fetch(`${server.url}/api/deployment/delivery-key`))).body;
    const { envelope, submissionCommitment, contentKey } = sealed;
    const binding = deliveryBinding({ context: envelope.context, submissionCommitment, keyId: key.key_id });
    const publicKey = decodeBase64Url(key.public_key) as Uint8Array<ArrayBuffer>;
    return signerOf(stack, server.url).send(actors.guardians[guardian]!, {
      method: 'POST',
      target: `/api/bounties/${bounty.bountyId}/delivery/wrap`,
      body: {
        solver_address: actors.solvers[0]!.address,
        submission_commitment: submissionCommitment,
        wrapped_key: await wrapKey(contentKey, publicKey, binding),
      },
    });
  };

  before(async function () {
    this.timeout(90_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
    const delivery = { DELIVERY_PRIVATE_KEY: encodeBase64Url(oldKey) };
    servers = await Promise.all([start(delivery), start(delivery)]);
    bounty = await actors.createBounty();
    await Promise.all(servers.map(({ url }) => clock.finalizeFor(url)));
    sealed = await sealByHand(
      stack,
      bounty,
      actors.solvers[0]!.address,
      new TextEncoder().encode('shared work'),
    );
  });

  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });

  it('take an upload at one that was begun at the other, and give its content from both', async function () {
    this.timeout(30_000);
    const [first, second] = servers as [LocalApiServer, LocalApiServer];
    const solver = actors.solvers[0]!;
    const flow = submissionFlow(stack, first.url, actors);
    const { body } = await flow.requestUrl(solver, bounty.bountyId, sealed);
    const token = new URL(body.upload.url).pathname;
    const answers = await Promise.all([
      flow.put(`${second.url}${token}`, sealed.ciphertext),
      flow.put(`${first.url}${token}`, sealed.ciphertext),
    ]);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 410]);
    const other = submissionFlow(stack, second.url, actors);
    const prepared = await other.prepare(solver, bounty.bountyId, sealed.envelopeBytes);
    expect(prepared.status, JSON.stringify(prepared.body)).to.equal(200);
    await actors.submit(solver, bounty.bountyId, sealed.submissionCommitment);
    await Promise.all(servers.map(({ url }) => clock.finalizeFor(url)));
    const target = `/api/bounties/${bounty.bountyId}/submissions/${sealed.submissionCommitment}/content`;
    for (const { url } of servers) {
      const content = await signerOf(stack, url).send(actors.poster, { method: 'GET', target });
      expect(content.status).to.equal(200);
    }
  });

  it('keep one record of wraps that are sent to both at once', async function () {
    this.timeout(30_000);
    await clock.warpTo(Number(bounty.submissionDeadline));
    await Promise.all(servers.map(({ url }) => clock.finalizeFor(url)));
    const answers = await Promise.all(
      [0, 1, 2, 3].map((guardian) => wrapAt(servers[guardian % 2]!, guardian)),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 201]);
  });

  it('open with a new delivery key in place what was wrapped to the old one', async function () {
    this.timeout(60_000);
    const verdict = actors.awardTo(actors.solvers[0]!, bounty, sealed.submissionCommitment);
    for (const guardian of actors.guardians.slice(0, 4))
      await actors.recordVerdict(guardian, bounty.bountyId, verdict);
    await actors.settle(bounty.bountyId);
    await Promise.all(servers.map((server) => server.stop()));
    const retrieve = async (server: LocalApiServer) => {
      const privateKey = random();
      const answer = await signerOf(stack, server.url).send(actors.poster, {
        method: 'POST',
        target: `/api/bounties/${bounty.bountyId}/delivery/retrieve`,
        body: { poster_ephemeral_public_key: encodeBase64Url(x25519PublicKey(privateKey)) },
      });
      return { privateKey, ...answer };
    };

    const rotated = await start({
      DELIVERY_PRIVATE_KEY: encodeBase64Url(newKey),
      DELIVERY_PREVIOUS_KEYS: encodeBase64Url(oldKey),
    });
    const forgetful = await start({ DELIVERY_PRIVATE_KEY: encodeBase64Url(newKey) });
    servers = [rotated, forgetful];
    await Promise.all(servers.map(({ url }) => clock.finalizeFor(url)));
    const { status, body, privateKey } = await retrieve(rotated);
    expect(status, JSON.stringify(body)).to.equal(200);
    const { envelope, submissionCommitment } = sealed;
    const place = { context: envelope.context, submissionCommitment, keyId: body.key_id };
    const opened = await openKey(body.wrapped_key, privateKey, posterBinding(place, actors.poster.address));
    expect(opened).to.deep.equal(sealed.contentKey);
    // Without the old key it is an outage that says so, not the Poster's fault.
    const without = await retrieve(forgetful);
    expect([without.status, without.body.error.code]).to.deep.equal([503, 'service_unavailable']);
  });
});
