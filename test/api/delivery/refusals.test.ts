// What is never delivered: an overwritten Submission, another bounty's, and anything of a bounty that awarded nobody.

import { expect } from 'chai';
import type { Hex } from 'viem';
import type { LocalApiServer } from '../../../server/local/apiServer.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { decodeBase64Url, encodeBase64Url } from '../../../server/protocol/base64Url.ts';
import { deliveryBinding, wrapKey } from '../../../server/protocol/keyWrap.ts';
import { x25519PublicKey } from '../../../server/protocol/x25519KeyPair.ts';
import { type Actor, type Actors, actorsOn, type CreatedBounty } from '../../actors/actors.ts';
import { type Clock, clockOf } from '../../actors/clock.ts';
import { type HandSealed, sealByHand } from '../../actors/handSealed.ts';
import { type SignedAnswer, signerOf } from '../../actors/signedRequest.ts';
import { submissionFlow } from '../../actors/submissionFlow.ts';
import { sharedServer, sharedStack } from '../../localStack.ts';

describe('what is never delivered', function () {
  this.timeout(60_000);
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let solver: Actor;
  let bounty: CreatedBounty;
  let other: CreatedBounty;
  let first: HandSealed;
  let second: HandSealed;

  before(async () => {
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    clock = clockOf(stack);
    solver = actors.solvers[0]!;
    bounty = await actors.createBounty();
    other = await actors.createBounty();
    await clock.finalizeFor(server.url);
    const flow = submissionFlow(stack, server.url, actors);
    const seal = (text: string) => sealByHand(stack, bounty, solver.address, new TextEncoder().encode(text));
    [first, second] = [await seal('the first try'), await seal('the better one')];
    await flow.submit(solver, bounty.bountyId, first);
    await flow.submit(solver, bounty.bountyId, second);
    await clock.warpTo(Number(other.submissionDeadline));
    await clock.finalizeFor(server.url);
  });

  const wrap = async (bountyId: bigint, { envelope, submissionCommitment, contentKey }: HandSealed) => {
    const key = (await (await fetch(`${server.url}/api/deployment/delivery-key`)).json()) as {
      key_id: string;
      public_key: string;
    };
    const place = { context: envelope.context, submissionCommitment, keyId: key.key_id };
    const publicKey = decodeBase64Url(key.public_key) as Uint8Array<ArrayBuffer>;
    return signerOf(stack, server.url).send(actors.guardians[0]!, {
      method: 'POST',
      target: `/api/bounties/${bountyId}/delivery/wrap`,
      body: {
        solver_address: solver.address,
        submission_commitment: submissionCommitment,
        wrapped_key: await wrapKey(contentKey, publicKey, deliveryBinding(place)),
      },
    });
  };

  const exists = async (bountyId: bigint, commitment: Hex): Promise<unknown> =>
    (
      await fetch(
        `${server.url}/api/bounties/${bountyId}/delivery/status?submission_commitment=${commitment}`,
      )
    ).json();

  const refused = ({ status, body }: SignedAnswer, path: string): void => {
    expect(status, JSON.stringify(body)).to.equal(400);
    expect(body.error.code).to.equal('invalid_winning_solution_delivery');
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).to.include(path);
  };

  it('is the key of a Submission that its Solver has overwritten', async () => {
    refused(await wrap(bounty.bountyId, first), '/submission_commitment');
    expect(await exists(bounty.bountyId, first.submissionCommitment)).to.deep.equal({ exists: false });
  });

  it('is the key of a Submission to another bounty', async () => {
    refused(await wrap(other.bountyId, second), '/submission_commitment');
    expect(await exists(other.bountyId, second.submissionCommitment)).to.deep.equal({ exists: false });
  });

  it('is a key of a bounty that was refunded, though a wrap is stored', async () => {
    expect((await wrap(bounty.bountyId, second)).status).to.equal(201);
    for (const guardian of actors.guardians.slice(0, 4))
      await actors.recordVerdict(guardian, bounty.bountyId, actors.refund);
    await actors.settle(bounty.bountyId);
    await clock.finalizeFor(server.url);
    const answer = await signerOf(stack, server.url).send(actors.poster, {
      method: 'POST',
      target: `/api/bounties/${bounty.bountyId}/delivery/retrieve`,
      body: {
        poster_ephemeral_public_key: encodeBase64Url(
          x25519PublicKey(crypto.getRandomValues(new Uint8Array(32))),
        ),
      },
    });
    refused(answer, 'bounty');
    expect(JSON.stringify(answer.body)).to.include('refunded');
  });
});
