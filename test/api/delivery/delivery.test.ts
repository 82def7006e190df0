// The winner's work on its way to the Poster, on the real stack: wraps that are proven before they are kept, retrieval
// for the funding Poster of an awarded bounty alone.

import { Decrypter } from 'age-encryption';
import { expect } from 'chai';
import pg from 'pg';
import { type Hex, hexToBytes } from 'viem';
import type { LocalApiServer } from '../../../server/local/apiServer.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { ageIdentity } from '../../../server/protocol/ageIdentity.ts';
import { decodeBase64Url, encodeBase64Url } from '../../../server/protocol/base64Url.ts';
import { deliveryBinding, openKey, posterBinding, wrapKey } from '../../../server/protocol/keyWrap.ts';
import { x25519PublicKey } from '../../../server/protocol/x25519KeyPair.ts';
import { type Actor, type Actors, actorsOn, type CreatedBounty } from '../../actors/actors.ts';
import { type Clock, clockOf } from '../../actors/clock.ts';
import { type HandSealed, sealByHand } from '../../actors/handSealed.ts';
import { answerOf, type PlainRequest, type SignedAnswer } from '../../actors/signedRequest.ts';
import { submissionFlow } from '../../actors/submissionFlow.ts';
import { sharedServer, sharedStack } from '../../localStack.ts';

describe('the delivery of the winning work', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let flow: ReturnType<typeof submissionFlow>;
  let bounty: CreatedBounty;
  let winner: Actor;
  let loser: Actor;
  let won: HandSealed;
  let lost: HandSealed;
  let deliveryKey: { key_id: string; public_key: string };

  const key32 = (text: string) => decodeBase64Url(text) as Uint8Array<ArrayBuffer>;

  const wrapped = (sealed: HandSealed, contentKey = sealed.contentKey): Promise<string> => {
    const { envelope, submissionCommitment } = sealed;
    const place = { context: envelope.context, submissionCommitment, keyId: deliveryKey.key_id };
    return wrapKey(contentKey, key32(deliveryKey.public_key), deliveryBinding(place));
  };

  const answers: string[] = [];
  const send = async (by: { private_key: Hex }, request: PlainRequest): Promise<SignedAnswer> => {
    const answer = await flow.signer.send(by, request);
    answers.push(JSON.stringify(answer.body));
    return answer;
  };

  const wrap = async (by: { private_key: Hex }, solver: Actor, sealed: HandSealed, wrapped_key: string) =>
    send(by, {
      method: 'POST',
      target: `/api/bounties/${bounty.bountyId}/delivery/wrap`,
      body: {
        solver_address: solver.address,
        submission_commitment: sealed.submissionCommitment,
        wrapped_key,
      },
    });

  const exists = async (commitment: Hex): Promise<SignedAnswer> =>
    answerOf(
      await fetch(
        `${server.url}/api/bounties/${bounty.bountyId}/delivery/status?submission_commitment=${commitment}`,
      ),
    );

  const privateKey = crypto.getRandomValues(new Uint8Array(32));
  const retrieve = (by: { private_key: Hex }, publicKey = encodeBase64Url(x25519PublicKey(privateKey))) =>
    send(by, {
      method: 'POST',
      target: `/api/bounties/${bounty.bountyId}/delivery/retrieve`,
      body: { poster_ephemeral_public_key: publicKey },
    });

  before(async function () {
    this.timeout(90_000);
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    clock = clockOf(stack);
    flow = submissionFlow(stack, server.url, actors);
    [winner, loser] = actors.solvers as [Actor, Actor];
    bounty = await actors.createBounty();
    await clock.finalizeFor(server.url);
    won = await sealByHand(stack, bounty, winner.address, new TextEncoder().encode('the winning folder'));
    lost = await sealByHand(stack, bounty, loser.address, new TextEncoder().encode('the other folder'));
    await flow.submit(winner, bounty.bountyId, won);
    await flow.submit(loser, bounty.bountyId, lost);
    await clock.finalizeFor(server.url);
    deliveryKey = (await answerOf(await fetch(`${server.url}/api/deployment/delivery-key`))).body;
  });

  const refused = ({ status, body }: SignedAnswer, path: string): void => {
    expect(status, JSON.stringify(body)).to.equal(400);
    expect(body.error.code).to.equal('invalid_winning_solution_delivery');
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).to.include(path);
  };

  it('names its delivery key and suite', () => {
    expect(deliveryKey).to.deep.include({ algorithm: 'X25519', hpke: { kem_id: 32, kdf_id: 1, aead_id: 3 } });
    expect(key32(deliveryKey.public_key)).to.have.length(32);
  });

  it('takes no wrap before the submission deadline', async () => {
    refused(await wrap(actors.guardians[0]!, winner, won, await wrapped(won)), 'bounty');
  });

  it('tells to retry while the deadline has passed at the head and not at the finalized block', async () => {
    await clock.warpTo(Number(bounty.submissionDeadline));
    await clock.seenBy(server.url);
    const answer = await wrap(actors.guardians[0]!, winner, won, await wrapped(won));
    expect([answer.status, answer.body.error.code]).to.deep.equal([503, 'bounty_chain_state_unavailable']);
    await clock.finalizeFor(server.url);
  });

  it('takes no wrap of anybody but a pinned Guardian', async () => {
    for (const other of [actors.poster, winner, actors.stranger, actors.owner]) {
      const answer = await wrap(other, winner, won, await wrapped(won));
      expect([answer.status, answer.body.error.code]).to.deep.equal([403, 'forbidden']);
    }
  });

  it('takes no wrap that opens nothing', async () => {
    const [guardian] = actors.guardians;
    const garbage = encodeBase64Url(crypto.getRandomValues(new Uint8Array(80)));
    refused(await wrap(guardian!, winner, won, garbage), '/wrapped_key');
    refused(await wrap(guardian!, winner, won, 'AAAA'), '/wrapped_key');
    // A key that opens another ciphertext, and one that was wrapped for another Submission.
    refused(await wrap(guardian!, winner, won, await wrapped(won, lost.contentKey)), '/wrapped_key');
    refused(await wrap(guardian!, winner, won, await wrapped(lost)), '/wrapped_key');
    refused(await wrap(guardian!, loser, won, await wrapped(won)), '/submission_commitment');
    const unknown = { ...won, submissionCommitment: `0x${'12'.repeat(32)}` as Hex };
    refused(await wrap(guardian!, winner, unknown, await wrapped(won)), '/submission_commitment');
    expect((await exists(won.submissionCommitment)).body).to.deep.equal({ exists: false });
  });

  it('answers the status for exactly one Submission, and 400 without or with a malformed one', async () => {
    for (const query of ['', '?submission_commitment=', '?submission_commitment=0x12', '?x=1']) {
      const answer = await answerOf(
        await fetch(`${server.url}/api/bounties/${bounty.bountyId}/delivery/status${query}`),
      );
      refused(answer, 'submission_commitment');
    }
    expect((await exists(`0x${'ab'.repeat(32)}`)).body).to.deep.equal({ exists: false });
  });

  it('keeps one wrap, whoever stored first, and says the same to all', async function () {
    this.timeout(30_000);
    const wraps = await Promise.all(actors.guardians.map(() => wrapped(won)));
    const answers = await Promise.all(
      actors.guardians.map((guardian, index) => wrap(guardian, winner, won, wraps[index]!)),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 200, 201]);
    for (const { body } of answers) {
      expect(body).to.deep.equal({
        stored: true,
        bounty_id: String(bounty.bountyId),
        submission_commitment: won.submissionCommitment,
      });
    }
    expect((await exists(won.submissionCommitment)).body).to.deep.equal({ exists: true });
    // A second wrap is verified in full before it is a no-op.
    refused(await wrap(actors.guardians[1]!, winner, won, await wrapped(lost)), '/wrapped_key');
    expect((await wrap(actors.guardians[2]!, loser, lost, await wrapped(lost))).status).to.equal(201);
  });

  it('delivers nothing while open, to nobody but the Poster, and not before the award is final', async function () {
    this.timeout(30_000);
    refused(await retrieve(actors.poster), 'bounty');
    const verdict = actors.awardTo(winner, bounty, won.submissionCommitment);
    for (const guardian of actors.guardians.slice(0, 4))
      await actors.recordVerdict(guardian, bounty.bountyId, verdict);
    await actors.settle(bounty.bountyId);
    await clock.seenBy(server.url);
    const early = await retrieve(actors.poster);
    expect([early.status, early.body.error.code]).to.deep.equal([503, 'bounty_chain_state_unavailable']);
    await clock.finalizeFor(server.url);
    for (const other of [...actors.guardians, winner, loser, actors.stranger]) {
      const answer = await retrieve(other);
      expect([answer.status, answer.body.error.code]).to.deep.equal([403, 'forbidden']);
    }
  });

  it('refuses keys that keep no secret', async () => {
    const lowOrder = 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800';
    for (const bytes of [
      new Uint8Array(32),
      hexToBytes(`0x${lowOrder}`),
      new Uint8Array(31).fill(9),
      new Uint8Array(33).fill(9),
    ]) {
      refused(await retrieve(actors.poster, encodeBase64Url(bytes)), '/poster_ephemeral_public_key');
    }
  });

  it('gives the Poster the winning work, and no other, byte for byte', async () => {
    const { status, body } = await retrieve(actors.poster);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.submission_commitment).to.equal(won.submissionCommitment);
    expect(JSON.stringify(body)).to.not.contain(lost.submissionCommitment);
    const place = {
      context: won.envelope.context,
      submissionCommitment: won.submissionCommitment,
      keyId: body.key_id as string,
    };
    const contentKey = await openKey(
      body.wrapped_key,
      privateKey,
      posterBinding(place, actors.poster.address),
    );
    expect(contentKey).to.deep.equal(won.contentKey);
    const ciphertext = (await answerOf(await fetch(body.ciphertext.url))).body as Uint8Array;
    const decrypter = new Decrypter();
    decrypter.addIdentity(ageIdentity(contentKey!));
    expect(await decrypter.decrypt(ciphertext, 'text')).to.equal('the winning folder');
  });

  it('leaves the content key nowhere in the clear: no log, no metric, no answer, no row', async () => {
    const rows = await everyRow(stack.databaseUrl);
    expect(rows).to.include(won.submissionCommitment.slice(2));
    const places = {
      log: server.log(),
      metrics: await (await fetch(server.metricsUrl)).text(),
      answers: answers.join('\n'),
      database: rows,
    };
    for (const [place, text] of Object.entries(places))
      for (const { contentKey } of [won, lost]) {
        const key = Buffer.from(contentKey);
        const forms = (['hex', 'base64', 'base64url'] as const).map((encoding) => key.toString(encoding));
        for (const form of [...forms, ageIdentity(contentKey)])
          expect(text.includes(form), `${place} holds a content key`).to.equal(false);
      }
  });
});

/** Every row of every table of the service's database, as text; bytes are hex. */
async function everyRow(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables " +
        "WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
    );
    let text = '';
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      text += rows.map(({ row }) => `${row}\n`).join('');
    }
    return text;
  } finally {
    await client.end();
  }
}
