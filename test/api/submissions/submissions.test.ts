// A sealed Submission through the API on the real stack: one-time upload, prepare with everything verified again,
// content for those who may, downloads.

import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { LocalApiServer } from '../../../server/local/apiServer.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { ciphertextLocator } from '../../../server/protocol/address.ts';
import { canonicalBytes } from '../../../server/protocol/canonicalJson.ts';
import type { Envelope } from '../../../server/protocol/envelope.ts';
import { type Actors, actorsOn, type CreatedBounty } from '../../actors/actors.ts';
import { type Clock, clockOf } from '../../actors/clock.ts';
import { type HandSealed, sealByHand } from '../../actors/handSealed.ts';
import { answerOf, type SignedAnswer } from '../../actors/signedRequest.ts';
import { submissionFlow } from '../../actors/submissionFlow.ts';
import { sharedServer, sharedStack } from '../../localStack.ts';

const WORK = new TextEncoder().encode('the work of a Solver '.repeat(5_000));

describe('a sealed Submission', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let flow: ReturnType<typeof submissionFlow>;
  let bounty: CreatedBounty;
  let sealed: HandSealed;

  before(async function () {
    this.timeout(60_000);
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    clock = clockOf(stack);
    flow = submissionFlow(stack, server.url, actors);
    bounty = await actors.createBounty();
    await clock.finalizeFor(server.url);
    sealed = await sealByHand(stack, bounty, actors.solvers[0]!.address, WORK);
  });

  const refusal = ({ status, body }: SignedAnswer, code: string, path: string): void => {
    expect(status, JSON.stringify(body)).to.equal(400);
    expect(body.error.code).to.equal(code);
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).to.include(path);
  };

  it('is uploaded once, prepared, recorded, and read by Poster and Guardians alone', async function () {
    this.timeout(30_000);
    const solver = actors.solvers[0]!;
    const issued = await flow.requestUrl(solver, bounty.bountyId, sealed);
    expect(issued.status, JSON.stringify(issued.body)).to.equal(200);
    expect(issued.body.storage_locator).to.equal(ciphertextLocator(sealed.envelope.bundle.ciphertext_sha256));
    const stored = await flow.put(issued.body.upload.url, sealed.ciphertext);
    expect(stored.status, JSON.stringify(stored.body)).to.equal(201);
    expect(stored.body).to.deep.include({
      storage_locator: issued.body.storage_locator,
      ciphertext_sha256: sealed.envelope.bundle.ciphertext_sha256,
      ciphertext_byte_length: sealed.ciphertext.length,
    });
    const again = await flow.put(issued.body.upload.url, sealed.ciphertext);
    expect([again.status, again.body.error.code]).to.deep.equal([410, 'upload_url_spent']);

    const prepared = await flow.prepare(solver, bounty.bountyId, sealed.envelopeBytes);
    expect(prepared.status, JSON.stringify(prepared.body)).to.equal(200);
    expect(prepared.body.submission_commitment).to.equal(sealed.submissionCommitment);
    const [call] = prepared.body.prepared.calls;
    expect(call.function_name).to.equal('submit');
    expect(call.args).to.deep.equal({
      bounty_id: String(bounty.bountyId),
      submission_commitment: sealed.submissionCommitment,
    });
    const target = `/api/bounties/${bounty.bountyId}/submissions/${sealed.submissionCommitment}/content`;
    const hash = await actors.client.sendTransaction({
      account: solver.account,
      to: call.to,
      data: call.data,
    });
    await actors.client.waitForTransactionReceipt({ hash });
    await clock.seenBy(server.url);
    const early = await flow.signer.send(actors.poster, { method: 'GET', target });
    expect([early.status, early.body.error.code]).to.deep.equal([
      503,
      'bounty_submission_content_authority_unavailable',
    ]);
    expect(Number(early.headers.get('retry-after'))).to.be.greaterThan(0);
    await clock.finalizeFor(server.url);

    for (const reader of [actors.poster, ...actors.guardians]) {
      const content = await flow.signer.send(reader, { method: 'GET', target });
      expect(content.status, JSON.stringify(content.body)).to.equal(200);
      expect(content.body.envelope).to.equal(new TextDecoder().decode(sealed.envelopeBytes));
      const bytes = (await answerOf(await fetch(content.body.ciphertext.url))).body as Uint8Array;
      expect(createHash('sha256').update(bytes).digest('hex')).to.equal(content.body.ciphertext.sha256);
    }
    for (const other of [solver, actors.solvers[1]!, actors.stranger, actors.owner]) {
      const content = await flow.signer.send(other, { method: 'GET', target });
      expect([content.status, content.body.error.code]).to.deep.equal([403, 'forbidden']);
    }
  });

  it('is downloaded by range, and not from a URL that was made up', async () => {
    const target = `/api/bounties/${bounty.bountyId}/submissions/${sealed.submissionCommitment}/content`;
    const { body } = await flow.signer.send(actors.poster, { method: 'GET', target });
    const { url } = body.ciphertext;
    const part = await fetch(url, { headers: { Range: 'bytes=10-19' } });
    expect(part.status).to.equal(206);
    expect(part.headers.get('content-range')).to.equal(`bytes 10-19/${sealed.ciphertext.length}`);
    expect(new Uint8Array(await part.arrayBuffer())).to.deep.equal(sealed.ciphertext.slice(10, 20));
    const beyond = await fetch(url, { headers: { Range: `bytes=${sealed.ciphertext.length}-` } });
    expect(beyond.status).to.equal(416);
    const forged = `${url.slice(0, -4)}AAAA`;
    expect((await fetch(forged)).status).to.equal(404);
  });

  it('takes no other bytes than were announced, and keeps nothing of them', async function () {
    this.timeout(30_000);
    const solver = actors.solvers[1]!;
    const mine = await sealByHand(stack, bounty, solver.address, WORK.slice(0, 70_000));
    const changed = mine.ciphertext.slice();
    changed[changed.length - 1]! ^= 1;
    const attempts: [Uint8Array, number][] = [
      [changed, 400],
      [mine.ciphertext.slice(0, -1), 400],
      [Uint8Array.from([...mine.ciphertext, 0]), 413],
    ];
    for (const [bytes, status] of attempts) {
      const { body } = await flow.requestUrl(solver, bounty.bountyId, mine);
      const answer = await flow.put(body.upload.url, bytes);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
      const prepared = await flow.prepare(solver, bounty.bountyId, mine.envelopeBytes);
      refusal(prepared, 'invalid_solver_submission', '/storage/locator');
    }
    const { status } = await flow.upload(solver, bounty.bountyId, mine);
    expect(status).to.equal(201);
    expect((await flow.prepare(solver, bounty.bountyId, mine.envelopeBytes)).status).to.equal(200);
  });

  it('lets one of many uploads to one URL win', async function () {
    this.timeout(30_000);
    const solver = actors.solvers[2]!;
    const mine = await sealByHand(stack, bounty, solver.address, WORK);
    const { body } = await flow.requestUrl(solver, bounty.bountyId, mine);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => flow.put(body.upload.url, mine.ciphertext)),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 410, 410, 410, 410, 410]);
  });

  const changes: [string, string, (envelope: Envelope) => Envelope][] = [
    ['another bounty', '/context/bounty_id', (e) => ({ ...e, context: { ...e.context, bounty_id: '999' } })],
    [
      'another Solver',
      '/context/solver_address',
      (e) => ({ ...e, context: { ...e.context, solver_address: `0x${'ab'.repeat(20)}` } }),
    ],
    ['another chain', '/context/chain_id', (e) => ({ ...e, context: { ...e.context, chain_id: 1 } })],
    [
      'another roster',
      '/recipients/guardian_roster_hash',
      (e) => ({ ...e, recipients: { ...e.recipients, guardian_roster_hash: `0x${'11'.repeat(32)}` } }),
    ],
    [
      'other recipients',
      '/recipients/recipients_commitment',
      (e) => ({ ...e, recipients: { ...e.recipients, recipients_commitment: `0x${'11'.repeat(32)}` } }),
    ],
    [
      'another round',
      '/reveal_policy/round',
      (e) => ({ ...e, reveal_policy: { ...e.reveal_policy, round: e.reveal_policy.round - 1 } }),
    ],
    [
      'another drand chain',
      '/reveal_policy/chain_hash',
      (e) => ({ ...e, reveal_policy: { ...e.reveal_policy, chain_hash: 'ab'.repeat(32) } }),
    ],
    [
      'another release time',
      '/reveal_policy/not_before',
      (e) => ({ ...e, reveal_policy: { ...e.reveal_policy, not_before: 1 } }),
    ],
    [
      'another locator',
      '/storage/locator',
      (e) => ({ ...e, storage: { locator: ciphertextLocator('ab'.repeat(32)) } }),
    ],
    [
      'another bag digest',
      '/key_bag/sha256',
      (e) => ({ ...e, key_bag: { ...e.key_bag, sha256: 'ab'.repeat(32) } }),
    ],
    ['an unknown key', '/note', (e) => ({ ...e, note: 'x' }) as Envelope],
  ];
  for (const [name, path, change] of changes) {
    it(`is refused with ${name}`, async () => {
      const answer = await flow.prepare(
        actors.solvers[0]!,
        bounty.bountyId,
        canonicalBytes(change(sealed.envelope)),
      );
      refusal(answer, 'invalid_solver_submission', path);
    });
  }

  it('is refused in any other than its canonical form', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(sealed.envelope, null, 1));
    refusal(await flow.prepare(actors.solvers[0]!, bounty.bountyId, bytes), 'invalid_solver_submission', '');
  });

  it('gives a Solver who records the commitment of another nothing', async function () {
    this.timeout(30_000);
    const thief = actors.solvers[2]!;
    const other = await actors.createBounty();
    await actors.submit(thief, other.bountyId, sealed.submissionCommitment);
    await clock.finalizeFor(server.url);
    const target = `/api/bounties/${other.bountyId}/submissions/${sealed.submissionCommitment}/content`;
    const content = await flow.signer.send(actors.poster, { method: 'GET', target });
    expect([content.status, content.body.error.code]).to.deep.equal([404, 'submission_not_found']);
    expect(JSON.stringify(content.body)).to.not.contain('age-encryption');
    const prepared = await flow.prepare(thief, other.bountyId, sealed.envelopeBytes);
    refusal(prepared, 'invalid_solver_submission', '/context/solver_address');
  });

  it('is accepted up to the last second before the deadline by the chain clock, and not after', async function () {
    this.timeout(30_000);
    const late = await actors.createBounty({
      submissionDeadline: BigInt((await clock.now()) + 600),
      judgingDeadlineAt: BigInt((await clock.now()) + 1_200),
      settlementTimeoutAt: BigInt((await clock.now()) + 1_800),
    });
    const solver = actors.solvers[1]!;
    const mine = await sealByHand(stack, late, solver.address, WORK.slice(0, 1_000));
    await clock.finalizeFor(server.url);
    expect((await flow.upload(solver, late.bountyId, mine)).status).to.equal(201);
    await clock.warpTo(Number(late.submissionDeadline) - 1);
    await clock.seenBy(server.url);
    expect((await flow.prepare(solver, late.bountyId, mine.envelopeBytes)).status).to.equal(200);
    await clock.warpTo(Number(late.submissionDeadline));
    await clock.seenBy(server.url);
    refusal(
      await flow.prepare(solver, late.bountyId, mine.envelopeBytes),
      'invalid_solver_submission',
      'bounty',
    );
    refusal(await flow.requestUrl(solver, late.bountyId, mine), 'invalid_solver_submission', 'bounty');
  });
});
