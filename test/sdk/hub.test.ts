// The Hub as the user's own RPC shows it: every read against what really happened on chain, pinned and unpinned.

import { expect } from 'chai';
import { createPublicClient, http } from 'viem';
import type { LocalStack } from '../../server/local/stack.ts';
import { DEPLOYMENTS } from '../../server/protocol/deployments.ts';
import { matchHash } from '../../server/protocol/hubVerdict.ts';
import { recipientsCommitment, rosterHash } from '../../server/protocol/roster.ts';
import { type Hub, hubOn } from '../../server/sdk/hub.ts';
import { HubError } from '../../server/sdk/hubError.ts';
import { readSealingFacts } from '../../server/sdk/sealingFacts.ts';
import { UntrustedAnswerError } from '../../server/sdk/untrustedAnswer.ts';
import { type Actors, actorsOn, type CreatedBounty, commitmentOf } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { startWireProxy } from '../faults/wireProxy.ts';
import { sharedStack } from '../localStack.ts';
import { failureOf } from './failureOf.ts';

describe('the Hub through the user’s own RPC', () => {
  let stack: LocalStack;
  let actors: Actors;
  let clock: Clock;
  let hub: Hub;
  let bounty: CreatedBounty;

  const hubAt = (url: string) =>
    hubOn(createPublicClient({ transport: http(url, { retryCount: 0 }), cacheTime: 0 }), stack.hubAddress);
  const rosterOfStack = () =>
    stack.accounts.guardians.map(({ address, name, encryption_public_key }) => ({
      account: address,
      name,
      encryptionPublicKey: encryption_public_key,
    }));

  before(async function () {
    this.timeout(60_000);
    stack = await sharedStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
    hub = hubAt(stack.rpcUrl);
    bounty = await actors.createBounty();
  });

  it('shows a bounty with names for its states', async () => {
    const read = await hub.bounty(bounty.bountyId);
    expect(read).to.include({
      bountyId: bounty.bountyId,
      poster: actors.poster.address,
      status: 'open',
      amount: bounty.amount,
      submissionDeadline: Number(bounty.submissionDeadline),
      specCommitment: bounty.specCommitment,
      winner: null,
      awardedSubmissionCommitment: null,
    });
  });

  it('says by the Hub’s own name that a bounty is unknown', async () => {
    const error = await failureOf(hub.bounty(2n ** 200n), HubError);
    expect([error.reason, error.retryable]).to.deep.equal(['Hub_BountyUnknown', false]);
    expect(error.message).to.contain(String(2n ** 200n));
  });

  it('reads the roster of a hash and recomputes it', async () => {
    const hash = await hub.currentRosterHash();
    const roster = await hub.roster(hash);
    expect(rosterHash(roster)).to.equal(hash);
    expect((await hub.roster(bounty.guardianRosterHash)).map(({ account }) => account)).to.include(
      actors.guardians[0]!.address,
    );
    expect(await hub.feePolicy()).to.deep.equal({ feeBps: 250, treasury: actors.owner.address });
  });

  it('reads Submissions and Verdicts, and null where there is none', async () => {
    const [solver] = actors.solvers;
    const [guardian] = actors.guardians;
    expect(await hub.submissionOf(bounty.bountyId, solver!.address)).to.equal(null);
    expect(await hub.verdictOf(bounty.bountyId, guardian!.address)).to.equal(null);
    const before = (await hub.tip()).number;
    const work = commitmentOf('work of hub.test');
    await actors.submit(solver!, bounty.bountyId, work);
    expect(await hub.submissionOf(bounty.bountyId, solver!.address)).to.equal(work);
    expect(await hub.submissionOf(bounty.bountyId, solver!.address, before)).to.equal(null);

    await clock.warpTo(Number(bounty.submissionDeadline));
    const report = commitmentOf('report of hub.test');
    await actors.recordVerdict(guardian!, bounty.bountyId, actors.refund, report);
    const refund = {
      outcome: 'refunded',
      winner: actors.refund.winner,
      submissionCommitment: actors.refund.submissionCommitment,
      payoutData: actors.refund.payoutData,
    } as const;
    expect(await hub.verdictOf(bounty.bountyId, guardian!.address)).to.deep.equal({
      matchHash: matchHash(refund),
      reportCommitment: report,
    });
  });

  it('gives what sealing needs at one block', async () => {
    const facts = await readSealingFacts(hub, bounty.bountyId, DEPLOYMENTS.local.drand);
    const { genesisSeconds, periodSeconds } = DEPLOYMENTS.local.drand;
    const deadline = Number(bounty.submissionDeadline);
    const opens = genesisSeconds + (facts.round - 1) * periodSeconds;
    expect(opens).to.be.within(deadline, deadline + periodSeconds - 1);
    expect(facts.roster).to.deep.equal(rosterOfStack());
    expect(facts.recipientsCommitment).to.equal(recipientsCommitment(rosterOfStack()));
    expect(facts.at.number <= (await hub.tip()).number).to.equal(true);
  });

  it('does not take a roster whose members do not hash to what was asked for', async () => {
    // An RPC that swaps one Guardian's key.
    const proxy = await startWireProxy(stack.rpcUrl);
    try {
      const swap = (text: string): string => Buffer.from(text).toString('hex');
      const [one, other] = rosterOfStack();
      proxy.fault = {
        kind: 'rewrite',
        rewrite: (body) =>
          body.toString().replace(swap(one!.encryptionPublicKey), swap(other!.encryptionPublicKey)),
      };
      await failureOf(hubAt(proxy.url).roster(bounty.guardianRosterHash), UntrustedAnswerError);
    } finally {
      await proxy.stop();
    }
  });

  it('tells an RPC that is away, or talks nonsense, from a refusal', async () => {
    const proxy = await startWireProxy(stack.rpcUrl);
    try {
      const away = hubAt(proxy.url);
      for (const fault of [
        { kind: 'reset' },
        { kind: 'status', status: 502, body: '<html>' },
        {
          kind: 'status',
          status: 200,
          body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit"}}',
        },
      ] as const) {
        proxy.fault = fault;
        const error = await failureOf(away.bounty(bounty.bountyId), HubError);
        expect([error.reason, error.retryable], fault.kind).to.deep.equal(['rpc_failure', true]);
      }
    } finally {
      await proxy.stop();
    }
  });
});
