// The whole workflow through the SDK's client, on the real stack: publish, fund, submit, judge, settle, deliver; each
// person with a client of their own, and each transaction sent as the SDK derived it.

import { expect } from 'chai';
import type { Hex } from 'viem';
import type { LocalApiServer } from '../../server/local/apiServer.ts';
import { demoChallenge } from '../../server/local/demoChallenge.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { encodeBase64Url } from '../../server/protocol/base64Url.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { submitCall } from '../../server/protocol/hubCalls.ts';
import { netRewardAmount } from '../../server/protocol/payout.ts';
import { x25519PublicKey } from '../../server/protocol/x25519KeyPair.ts';
import { ApiError } from '../../server/sdk/apiError.ts';
import { HubError } from '../../server/sdk/hubError.ts';
import { receiveWork } from '../../server/sdk/receiveWork.ts';
import type { ReadSubmission } from '../../server/sdk/resources/submissions.ts';
import type { Progress } from '../../server/sdk/transfer.ts';
import { wrapForDelivery } from '../../server/sdk/wrapForDelivery.ts';
import { type Actor, type Actors, actorsOn } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { type HandSealed, sealByHand } from '../actors/handSealed.ts';
import { sharedServer, sharedStack } from '../localStack.ts';
import { writtenVerdictBytes } from '../protocol/writtenVerdictDocument.ts';
import { clientOf, walletOf } from './clientOf.ts';
import { failureOf } from './failureOf.ts';

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));

describe('the client', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let solver: Actor;
  let bountyId: bigint;
  let netAmount: bigint;
  let challenge: Uint8Array<ArrayBuffer>;
  let sealed: HandSealed;
  let plaintext: Uint8Array;
  let content: ReadSubmission;

  const as = (person?: Actor) => clientOf(stack, server.url, person);
  const published = async (text: string) => as(actors.poster).publication.prepare(bytesOf(text));

  before(async function () {
    this.timeout(60_000);
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    clock = clockOf(stack);
    solver = actors.solvers[2]!;
    await clock.finalizeFor(server.url);
  });

  it('publishes a challenge and funds it in one transaction with a permit', async function () {
    this.timeout(20_000);
    const text = demoChallenge(stack, await clock.now()).replace('## Deliv', 'By the SDK.\n\n## Deliv');
    challenge = bytesOf(text);
    const publication = await published(text);
    expect(publication.terms.specCommitment).to.equal(commitmentOf(challenge));
    expect(publication.permit?.message.value).to.equal(publication.terms.amount);
    const wallet = walletOf(stack, actors.poster);
    const funded = await as(actors.poster).fund(publication, { wallet });
    expect(funded.receipts).to.have.length(1);
    bountyId = funded.bountyId;
    const onChain = await as().hub.bounty(bountyId);
    expect([onChain.status, onChain.specCommitment]).to.deep.equal(['open', commitmentOf(challenge)]);
    netAmount = netRewardAmount(onChain.amount, onChain.feeBps);
  });

  it('funds without a permit in two transactions, each told before and after it is sent', async function () {
    this.timeout(20_000);
    const text = demoChallenge(stack, await clock.now()).replace('## Deliv', 'In two steps.\n\n## Deliv');
    const told: string[] = [];
    const funded = await as(actors.poster).fund(await published(text), {
      wallet: walletOf(stack, actors.poster),
      permit: false,
      onCall: (call) => void told.push(call.function_name),
      onSent: (hash) => told.push(String(hash.length)),
    });
    expect(told).to.deep.equal(['approve', '66', 'createBounty', '66']);
    expect(funded.bountyId > bountyId).to.equal(true);
  });

  it('does not send what another wallet should, and says which', async () => {
    const text = demoChallenge(stack, await clock.now()).replace('## Deliv', 'Other wallet.\n\n## Deliv');
    const wallet = walletOf(stack, actors.stranger);
    const failed = await failureOf(as().send((await published(text)).calls, { wallet }), HubError);
    expect(failed.reason).to.equal('wrong_account');
  });

  it('reads the bounty, its challenge and its roster, and finds it in the list', async () => {
    await clock.finalizeFor(server.url);
    const answer = await as().bounties.get(bountyId);
    expect(answer.challenge).to.equal(new TextDecoder().decode(challenge));
    expect(answer.bounty.guardian_roster).to.have.length(actors.guardians.length);
    const found: string[] = [];
    for await (const row of as().bounties.list({ poster: actors.poster.address, limit: 2 }))
      found.push(row.bounty_id);
    expect(found).to.include(String(bountyId));
    expect(new Set(found).size).to.equal(found.length);
    expect(found.map(BigInt)).to.deep.equal(found.map(BigInt).sort((one, other) => (one < other ? 1 : -1)));
  });

  it('tells what is unknown and what is not allowed in the service’s own words', async () => {
    const unknown = await failureOf(as().bounties.get(2n ** 255n), ApiError);
    expect([unknown.status, unknown.code, unknown.retryable]).to.deep.equal([404, 'bounty_not_found', false]);
    const foreign = await failureOf(
      as(actors.stranger).publication.prepare(bytesOf('no frontmatter')),
      ApiError,
    );
    expect(foreign.code).to.equal('invalid_challenge_frontmatter');
    expect(foreign.issues).to.not.deep.equal([]);
    expect(foreign.nextAction).to.not.equal('');
    const unsigned = await failureOf(as().submissions.content(bountyId, commitmentOf(challenge)), TypeError);
    expect(unsigned.message).to.contain('no wallet');
  });

  it('uploads with progress, prepares, and sends the submit call', async function () {
    this.timeout(20_000);
    const facts = await as().sealingFacts(bountyId);
    expect(facts.roster.map(({ account }) => account)).to.deep.equal(
      actors.guardians.map(({ address }) => address),
    );
    plaintext = crypto.getRandomValues(new Uint8Array(60_000));
    const bounty = {
      ...facts.bounty,
      submissionDeadline: BigInt(facts.bounty.submissionDeadline),
    };
    sealed = await sealByHand(stack, bounty, solver.address, plaintext);
    expect(sealed.envelope.reveal_policy.round).to.equal(facts.round);
    expect(sealed.envelope.recipients.recipients_commitment).to.equal(facts.recipientsCommitment);
    const client = as(solver);
    const progress: Progress[] = [];
    const receipt = await client.submissions.upload(bountyId, Uint8Array.from(sealed.ciphertext), {
      onProgress: (step) => progress.push(step),
    });
    expect(receipt.ciphertext_byte_length).to.equal(sealed.ciphertext.length);
    expect(progress.at(-1)).to.deep.equal({
      done: sealed.ciphertext.length,
      total: sealed.ciphertext.length,
    });
    const { calls } = await client.submissions.prepare(bountyId, Uint8Array.from(sealed.envelopeBytes));
    await client.send(calls, { wallet: walletOf(stack, solver) });
    expect(await client.hub.submissionOf(bountyId, solver.address)).to.equal(sealed.submissionCommitment);
  });

  it('lets a Guardian read the Submission and download its ciphertext', async () => {
    await clock.finalizeFor(server.url);
    const client = as(actors.guardians[1]!);
    content = await client.submissions.content(bountyId, sealed.submissionCommitment);
    expect(content.envelope).to.deep.equal(sealed.envelope);
    const bytes = await client.submissions.download(content.answer.ciphertext);
    expect(bytes).to.deep.equal(Uint8Array.from(sealed.ciphertext));
    const stranger = as(actors.stranger).submissions.content(bountyId, sealed.submissionCommitment);
    expect((await failureOf(stranger, ApiError)).code).to.equal('forbidden');
  });

  it('publishes written Verdicts, records them, settles, and reads one back', async function () {
    this.timeout(30_000);
    await clock.warpTo(content.envelope.reveal_policy.not_before);
    await clock.finalizeFor(server.url);
    let report: Hex = '0x';
    for (const guardian of actors.guardians.slice(0, 4)) {
      const document = writtenVerdictBytes({
        hubAddress: stack.hubAddress,
        bountyId: String(bountyId),
        specCommitment: commitmentOf(challenge),
        guardianAddress: guardian.address,
        winner: solver.address,
        submissionCommitment: sealed.submissionCommitment,
        tokenAddress: stack.tokenAddress,
        amount: String(netAmount),
        criteria: ['pass', 'pass', 'pass'],
        summary: `Read by ${guardian.name}.`,
      });
      const client = as(guardian);
      const { answer, calls } = await client.verdicts.publish(document);
      await client.send(calls, { wallet: walletOf(stack, guardian) });
      report = answer.report_commitment;
      const current = await client.hub.verdictOf(bountyId, guardian.address);
      expect(current?.reportCommitment).to.equal(report);
    }
    expect(await as().hub.verdictOf(bountyId, actors.guardians[4]!.address)).to.equal(null);
    expect((await as().verdicts.get(report)).verdict.bountyId).to.equal(bountyId);
    await actors.settle(bountyId);
    await clock.finalizeFor(server.url);
    const { bounty, verification_record: record } = await as().bounties.get(bountyId);
    expect([bounty.status, bounty.winner]).to.deep.equal(['awarded', solver.address]);
    expect(record?.quorum.matching).to.equal(4);
    expect(await as().hub.queuedBalance(solver.address, stack.tokenAddress)).to.satisfy(
      (amount: bigint) => amount >= netAmount,
    );
  });

  it('wraps the key for delivery, and hands it to the Poster alone', async function () {
    this.timeout(20_000);
    const guardian = as(actors.guardians[0]!);
    const { submissionCommitment, contentKey } = sealed;
    expect(await guardian.delivery.exists(bountyId, submissionCommitment)).to.equal(false);
    await wrapForDelivery(guardian, bountyId, content, contentKey);
    expect(await guardian.delivery.exists(bountyId, submissionCommitment)).to.equal(true);

    const received = await receiveWork(as(actors.poster), bountyId);
    expect(received.submissionCommitment).to.equal(submissionCommitment);
    const parts: Uint8Array[] = [];
    for await (const part of received.package) parts.push(part);
    expect(Buffer.concat(parts).equals(plaintext)).to.equal(true);
    const publicKey = encodeBase64Url(x25519PublicKey(crypto.getRandomValues(new Uint8Array(32))));
    const other = await failureOf(as(solver).delivery.retrieve(bountyId, publicKey), ApiError);
    expect(other.code).to.equal('forbidden');
  });

  it('tells a refusal of the Hub by name before anything is sent', async () => {
    const call = submitCall(stack.hubAddress, bountyId, sealed.submissionCommitment);
    const checked = { chainId: stack.chainId, from: solver.address, calls: [call] };
    const told: string[] = [];
    const wallet = walletOf(stack, solver);
    const sending = { wallet, onCall: () => void told.push('called') };
    const refused = await failureOf(as().send(checked, sending), HubError);
    expect([refused.reason, refused.retryable]).to.deep.equal(['Hub_BountyNotOpen', false]);
    expect(told).to.deep.equal([]);
  });
});
