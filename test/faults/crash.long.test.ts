// A server that is killed at random points of everything that writes: what it confirmed is there afterwards, nothing
// half-written is served, and trying again succeeds. Seeded: CRASH_SEED repeats a run, CRASH_ROUNDS makes it longer.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Hex } from 'viem';
import { openByteStore } from '../../server/adapters/byteStore.ts';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import { demoChallenge } from '../../server/local/demoChallenge.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { decodeBase64Url } from '../../server/protocol/base64Url.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { deliveryBinding, wrapKey } from '../../server/protocol/keyWrap.ts';
import { type Actors, actorsOn, type CreatedBounty } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { type HandSealed, sealByHand } from '../actors/handSealed.ts';
import { type SignedAnswer, signerOf } from '../actors/signedRequest.ts';
import { submissionFlow } from '../actors/submissionFlow.ts';
import { newPublisher, type Publisher, publishingOn } from '../api/publication/publishing.ts';
import { ownStack } from '../localStack.ts';
import { writtenVerdictBytes } from '../protocol/writtenVerdictDocument.ts';
import { randomOf } from './randomOf.ts';

const SEED = Number(process.env.CRASH_SEED ?? 20_261_121);
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 30);
/** Every write of a round begins within this time, and so does the kill. */
const SPREAD_MS = 250;

interface Write {
  readonly what: string;
  /** Undefined while the connection broke: nothing was confirmed. */
  attempt(): Promise<SignedAnswer | undefined>;
  isConfirmed(answer: SignedAnswer): boolean;
  /** Throws unless it is there. */
  expectThere(): Promise<unknown>;
  /** Throws when something half-written is served; missing is fine. */
  expectNothingBroken(): Promise<unknown>;
}

describe(`a server that is killed (seed ${SEED})`, function () {
  this.timeout(ROUNDS * 15_000 + 60_000);
  let stack: LocalStack;
  let actors: Actors;
  let server: LocalApiServer;
  let open: CreatedBounty;
  let judged: CreatedBounty;
  const work: HandSealed[] = [];
  const random = randomOf(SEED);

  const start = (): Promise<LocalApiServer> =>
    startApiServer(
      stack.serverEnvironment({
        RATE_PER_ADDRESS: '0',
        RATE_PER_SIGNER: '0',
        REVIEW_QUOTA: '1000',
        REVIEW_QUOTA_TOTAL: '10000',
        UPLOAD_UNNAMED_PER_SOLVER: '1000',
        UPLOAD_UNNAMED_PER_ADDRESS: '10000',
      }),
      { watch: stack.watch },
    );

  before(async () => {
    stack = await ownStack();
    actors = actorsOn(stack);
    const clock = clockOf(stack);
    server = await start();
    const challenge = new TextEncoder().encode(demoChallenge(stack, await clock.now()));
    await openByteStore(stack.ipfsUrl).putDocument(challenge);
    const now = BigInt(await clock.now());
    judged = await actors.createBounty({
      specCommitment: commitmentOf(challenge),
      submissionDeadline: now + 1_000n,
      judgingDeadlineAt: now + 500_000n,
      settlementTimeoutAt: now + 600_000n,
    });
    open = await actors.createBounty({
      submissionDeadline: now + 400_000n,
      judgingDeadlineAt: now + 500_000n,
      settlementTimeoutAt: now + 600_000n,
    });
    await clock.finalizeFor(server.url);
    for (const solver of actors.solvers) {
      const sealed = await sealByHand(
        stack,
        judged,
        solver.address,
        new TextEncoder().encode(solver.address),
      );
      await submissionFlow(stack, server.url, actors).submit(solver, judged.bountyId, sealed);
      work.push(sealed);
    }
    await clock.warpTo(Number(judged.submissionDeadline));
    await clock.finalizeFor(server.url);
  });
  after(async () => {
    await server?.stop();
    await stack?.stop();
  });

  const survived = async <T>(request: Promise<T>): Promise<T | undefined> => request.catch(() => undefined);
  const send = (by: { private_key: Hex }, target: string, body: Uint8Array | object, contentType?: string) =>
    survived(
      signerOf(stack, server.url).send(by, {
        method: 'POST',
        target,
        body,
        ...(contentType === undefined ? {} : { contentType }),
      }),
    );

  const publication = async (): Promise<Write> => {
    const publisher: Publisher = newPublisher();
    const publishing = publishingOn(stack);
    const text = await publishing.challenge(publisher);
    const commitment = commitmentOf(new TextEncoder().encode(text));
    const state = async () => (await openByteStore(stack.ipfsUrl).getDocument(commitment)).state;
    return {
      what: 'publication',
      attempt: () => survived(publishing.publish(server.url, publisher, text)),
      isConfirmed: ({ status }) => status === 200,
      expectThere: async () => expect(await state()).to.equal('found'),
      expectNothingBroken: async () => expect(await state()).to.be.oneOf(['found', 'missing']),
    };
  };

  const submission = async (round: number): Promise<Write> => {
    const solver = actors.solvers[round % actors.solvers.length]!;
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const sealed = await sealByHand(stack, open, solver.address, bytes);
    const state = async () =>
      (await openByteStore(stack.ipfsUrl).getEnvelope(String(open.bountyId), sealed.submissionCommitment))
        .state;
    return {
      what: 'submission',
      async attempt() {
        const flow = submissionFlow(stack, server.url, actors);
        const uploaded = await survived(flow.upload(solver, open.bountyId, sealed));
        if (uploaded?.status !== 201) return uploaded;
        return survived(flow.prepare(solver, open.bountyId, sealed.envelopeBytes));
      },
      isConfirmed: ({ status, body }) =>
        status === 200 && body.submission_commitment === sealed.submissionCommitment,
      expectThere: async () => expect(await state()).to.equal('found'),
      expectNothingBroken: async () => expect(await state()).to.be.oneOf(['found', 'missing']),
    };
  };

  const verdict = (round: number): Write => {
    const guardian = actors.guardians[round % actors.guardians.length]!;
    const bytes = writtenVerdictBytes({
      hubAddress: stack.hubAddress,
      bountyId: String(judged.bountyId),
      specCommitment: judged.specCommitment,
      guardianAddress: guardian.address,
      outcome: 'refunded',
      winner: actors.solvers[0]!.address,
      submissionCommitment: work[0]!.submissionCommitment,
      criteria: ['fail', 'pass', 'pass'],
      summary: `Round ${round}, ${SEED}.`,
    });
    const path = `/api/written-verdicts/${commitmentOf(bytes)}`;
    const served = async () => {
      const response = await fetch(server.url + path);
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
    };
    return {
      what: 'verdict',
      attempt: () => send(guardian, path, bytes, 'text/markdown'),
      isConfirmed: ({ status }) => status === 200 || status === 201,
      async expectThere() {
        const answer = await served();
        expect([answer.status, answer.bytes.equals(bytes)]).to.deep.equal([200, true]);
      },
      async expectNothingBroken() {
        const answer = await served();
        if (answer.status === 200) expect(answer.bytes.equals(bytes)).to.equal(true);
        else expect(answer.status).to.equal(404);
      },
    };
  };

  const wrap = (round: number): Write => {
    const index = round % work.length;
    const { envelope, submissionCommitment, contentKey } = work[index]!;
    const status = `/api/bounties/${judged.bountyId}/delivery/status?submission_commitment=${submissionCommitment}`;
    return {
      what: 'wrap',
      async attempt() {
        const key = await survived(fetch(`${server.url}/api/deployment/delivery-key`).then((r) => r.json()));
        if (key === undefined) return undefined;
        const { key_id: keyId, public_key: publicKey } = key as { key_id: string; public_key: string };
        const bound = deliveryBinding({ context: envelope.context, submissionCommitment, keyId });
        const to = decodeBase64Url(publicKey) as Uint8Array<ArrayBuffer>;
        return send(actors.guardians[0]!, `/api/bounties/${judged.bountyId}/delivery/wrap`, {
          solver_address: actors.solvers[index]!.address,
          submission_commitment: submissionCommitment,
          wrapped_key: await wrapKey(contentKey, to, bound),
        });
      },
      isConfirmed: (answer) => answer.body.stored === true,
      expectThere: async () =>
        expect(await (await fetch(server.url + status)).json()).to.deep.equal({ exists: true }),
      expectNothingBroken: async () =>
        expect(await (await fetch(server.url + status)).json()).to.have.property('exists'),
    };
  };

  it(`keeps what it confirmed, over ${ROUNDS} kills`, async () => {
    const confirmed = new Map<string, number>();
    let broken = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const writes = [await publication(), await submission(round), verdict(round), wrap(round)];
      const running = writes.map(async (write) => {
        await sleep(random() * SPREAD_MS);
        return write.attempt();
      });
      await sleep(random() * SPREAD_MS * 2);
      await server.kill();
      const answers = await Promise.all(running);
      server = await start();
      for (const [index, write] of writes.entries()) {
        const answer = answers[index];
        await write.expectNothingBroken();
        if (answer !== undefined && write.isConfirmed(answer)) {
          await write.expectThere();
          confirmed.set(write.what, (confirmed.get(write.what) ?? 0) + 1);
        } else broken += 1;
        // A fresh block for a fresh signature: a review that was begun counts as run.
        await clockOf(stack).mine();
        const again = await write.attempt();
        expect(
          again !== undefined && write.isConfirmed(again),
          `${write.what}: ${JSON.stringify(again?.body)}`,
        ).to.equal(true);
        await write.expectThere();
      }
    }
    // It would prove nothing if every write was through, or none.
    expect(broken, JSON.stringify([...confirmed])).to.be.greaterThan(ROUNDS / 4);
    expect([...confirmed.values()].reduce((sum, count) => sum + count, 0)).to.be.greaterThan(ROUNDS / 4);
  });
});
