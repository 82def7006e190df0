// Guardians judge and the Hub settles, on the real stack: written Verdicts under their commitments, the ladder of ends, and
// the VerificationRecord of each.

import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import type { Hex } from 'viem';
import { type LocalApiServer, startApiServer } from '../../../server/local/apiServer.ts';
import { demoChallenge } from '../../../server/local/demoChallenge.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { canonicalJson } from '../../../server/protocol/canonicalJson.ts';
import { commitmentOf } from '../../../server/protocol/commitment.ts';
import { isIntactRecord } from '../../../server/protocol/verificationRecord.ts';
import { award, payout } from '../../abis/verdict.ts';
import {
  type Actor,
  type Actors,
  actorsOn,
  type CreatedBounty,
  commitmentOf as nameOf,
} from '../../actors/actors.ts';
import { type Clock, clockOf } from '../../actors/clock.ts';
import { answerOf, type SignedAnswer, signerOf } from '../../actors/signedRequest.ts';
import { startWireProxy } from '../../faults/wireProxy.ts';
import { sharedServer, sharedStack } from '../../localStack.ts';
import {
  type WrittenVerdictDocumentFields,
  writtenVerdictBytes,
} from '../../protocol/writtenVerdictDocument.ts';
import { get } from '../bounties/bountyAnswers.ts';

describe('judging', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let number = 0;

  before(async function () {
    this.timeout(60_000);
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    clock = clockOf(stack);
  });

  const ipfs = () => create({ url: stack.ipfsUrl });
  const put = (bytes: Uint8Array) =>
    ipfs().block.put(bytes, { mhtype: 'keccak-256', format: 'raw', pin: true });

  /** A bounty over a challenge of its own, whose bytes are stored unless `stored` is false. */
  const newBounty = async (stored = true): Promise<{ bounty: CreatedBounty; challenge: Uint8Array }> => {
    number += 1;
    const text = demoChallenge(stack, await clock.now()).replace(
      '## Deliverables',
      `Number ${number}.\n\n## Deliverables`,
    );
    const challenge = new TextEncoder().encode(text);
    if (stored) await put(challenge);
    return { bounty: await actors.createBounty({ specCommitment: commitmentOf(challenge) }), challenge };
  };

  const read = async (bounty: CreatedBounty, url = server.url) =>
    (await get(url, `/api/bounties/${bounty.bountyId}`)).body;

  const judged = async (
    bounty: CreatedBounty,
    choices: readonly Parameters<Actors['recordVerdict']>[2][],
  ) => {
    for (const [index, choice] of choices.entries()) {
      await actors.recordVerdict(
        actors.guardians[index]!,
        bounty.bountyId,
        choice,
        nameOf(`report ${bounty.bountyId} ${index}`),
      );
    }
  };

  describe('a written Verdict', () => {
    let bounty: CreatedBounty;
    const solver = (): Actor => actors.solvers[0]!;
    const active = nameOf('the active one');

    const fields = (guardian = 0): WrittenVerdictDocumentFields => ({
      hubAddress: stack.hubAddress,
      bountyId: String(bounty.bountyId),
      specCommitment: bounty.specCommitment,
      guardianAddress: actors.guardians[guardian]!.address,
      winner: solver().address,
      submissionCommitment: active,
      tokenAddress: stack.tokenAddress,
      amount: String(bounty.netAmount),
      criteria: ['pass', 'pass', 'pass'],
    });
    const publish = (
      bytes: Uint8Array,
      by: { private_key: Hex } = actors.guardians[0]!,
      commitment = commitmentOf(bytes),
    ): Promise<SignedAnswer> =>
      signerOf(stack, server.url).send(by, {
        method: 'POST',
        target: `/api/written-verdicts/${commitment}`,
        body: bytes,
        contentType: 'text/markdown',
      });
    const refused = ({ status, body }: SignedAnswer, path: string): void => {
      expect([status, body.error?.code], JSON.stringify(body)).to.deep.equal([
        400,
        'invalid_written_verdict',
      ]);
      expect(body.error.issues.map((issue: { path: string }) => issue.path)).to.include(path);
    };

    before(async function () {
      this.timeout(30_000);
      bounty = (await newBounty()).bounty;
      await actors.submit(solver(), bounty.bountyId, nameOf('overwritten'));
      await actors.submit(solver(), bounty.bountyId, active);
      await clock.finalizeFor(server.url);
    });

    it('is refused before the submission deadline, by the chain clock', async () => {
      refused(await publish(writtenVerdictBytes(fields())), 'frontmatter.issued_at');
    });

    it('is told to retry while the deadline has passed at the head alone', async () => {
      await clock.warpTo(Number(bounty.submissionDeadline));
      await clock.seenBy(server.url);
      const { status, body, headers } = await publish(writtenVerdictBytes(fields()));
      expect([status, body.error.code]).to.deep.equal([503, 'bounty_chain_state_unavailable']);
      expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
      await clock.finalizeFor(server.url);
    });

    it('is stored once, answers the recordVerdict call, and is read by anyone', async function () {
      this.timeout(20_000);
      const bytes = writtenVerdictBytes(fields());
      const commitment = commitmentOf(bytes);
      const missing = await fetch(`${server.url}/api/written-verdicts/${commitment}`);
      expect(missing.status).to.equal(404);
      const first = await publish(bytes);
      expect(first.status, JSON.stringify(first.body)).to.equal(201);
      const again = await publish(bytes);
      expect(again.status).to.equal(200);
      expect(again.body.prepared).to.deep.equal(first.body.prepared);

      const response = await fetch(`${server.url}/api/written-verdicts/${commitment}`);
      expect(response.headers.get('content-type')).to.equal('text/markdown; charset=utf-8');
      expect(response.headers.get('cache-control')).to.contain('immutable');
      expect((await answerOf(response)).body).to.deep.equal(new Uint8Array(bytes));

      const [call] = first.body.prepared.calls;
      expect(call.function_name).to.equal('recordVerdict');
      const hash = await actors.client.sendTransaction({
        account: actors.guardians[0]!.account,
        to: call.to,
        data: call.data,
      });
      expect((await actors.client.waitForTransactionReceipt({ hash })).status).to.equal('success');
    });

    it('hashes to its path', async () => {
      refused(
        await publish(writtenVerdictBytes(fields()), actors.guardians[0]!, nameOf('elsewhere')),
        'report_commitment',
      );
    });

    it('is published by the pinned Guardian that it names', async () => {
      const other = await publish(writtenVerdictBytes(fields(0)), actors.guardians[1]!);
      expect([other.status, other.body.error.code]).to.deep.equal([403, 'forbidden']);
      const stranger = writtenVerdictBytes({ ...fields(), guardianAddress: actors.stranger.address });
      const outside = await publish(stranger, actors.stranger);
      expect([outside.status, outside.body.error.code]).to.deep.equal([403, 'forbidden']);
    });

    it('must agree with the bounty', async () => {
      const attempts: [WrittenVerdictDocumentFields, string][] = [
        [{ chainId: 1 }, 'frontmatter.chain_id'],
        [{ specCommitment: nameOf('other') }, 'frontmatter.spec_commitment'],
        [{ amount: '1' }, 'frontmatter.payout.amount'],
        [{ tokenAddress: stack.hubAddress }, 'frontmatter.payout.token_address'],
        [{ criteria: ['pass'] }, 'frontmatter.criteria'],
        [{ submissionCommitment: nameOf('overwritten') }, 'frontmatter.awarded_submission_commitment'],
        [{ winner: actors.solvers[1]!.address }, 'frontmatter.awarded_submission_commitment'],
      ];
      for (const [change, path] of attempts)
        refused(await publish(writtenVerdictBytes({ ...fields(), ...change })), path);
      const nowhere = await publish(writtenVerdictBytes({ ...fields(), bountyId: '999999' }));
      expect([nowhere.status, nowhere.body.error.code]).to.deep.equal([404, 'bounty_not_found']);
    });

    it('is after settlement only what its Guardian recorded on chain', async function () {
      this.timeout(30_000);
      const recorded = writtenVerdictBytes({ ...fields(1), summary: 'Recorded before it was published.' });
      const verdict = actors.awardTo(solver(), bounty, active);
      await actors.recordVerdict(actors.guardians[1]!, bounty.bountyId, verdict, commitmentOf(recorded));
      for (const index of [2, 3])
        await actors.recordVerdict(actors.guardians[index]!, bounty.bountyId, verdict);
      await actors.settle(bounty.bountyId);
      await clock.finalizeFor(server.url);
      refused(
        await publish(writtenVerdictBytes({ ...fields(1), summary: 'Too late.' }), actors.guardians[1]!),
        'bounty',
      );
      expect((await publish(recorded, actors.guardians[1]!)).status).to.equal(201);
    });

    it('is the only thing that its route serves', async () => {
      const response = await fetch(`${server.url}/api/written-verdicts/${bounty.specCommitment}`);
      expect(response.status).to.equal(404);
    });
  });

  describe('the end of a bounty and its record', () => {
    /** verify-record, which knows neither the API nor the subgraph. */
    const verifyRecord = (bounty: CreatedBounty, record?: string) => {
      const { rpcUrl, ipfsUrl, hubAddress } = stack;
      const flags = ['--rpc-url', rpcUrl, '--ipfs-url', ipfsUrl, '--hub', hubAddress];
      const args = [
        'verify-record',
        String(bounty.bountyId),
        ...flags,
        ...(record === undefined ? [] : ['--record', '-']),
      ];
      return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
        const child = spawn(process.execPath, ['--import', 'tsx', 'server/cli/main.ts', ...args]);
        let [stdout, stderr] = ['', ''];
        child.stdout.on('data', (text) => {
          stdout += text;
        });
        child.stderr.on('data', (text) => {
          stderr += text;
        });
        child.on('close', (code) => resolve({ code, stdout, stderr }));
        child.stdin.end(record ?? '');
      });
    };
    const ended = async (bounty: CreatedBounty) => {
      await clock.finalizeFor(server.url);
      const body = await read(bounty);
      expect(body).to.not.have.property('verification_record_error');
      expect(isIntactRecord(body.verification_record)).to.equal(true);
      const verified = await verifyRecord(bounty, JSON.stringify(body.verification_record));
      expect(verified.code, verified.stderr).to.equal(0);
      expect(verified.stdout.trim()).to.equal(canonicalJson(body.verification_record));
      return body;
    };
    const withSubmission = async () => {
      const made = await newBounty();
      const commitment = nameOf(`work for ${made.bounty.bountyId}`);
      await actors.submit(actors.solvers[0]!, made.bounty.bountyId, commitment);
      await clock.warpTo(Number(made.bounty.submissionDeadline));
      return { ...made, commitment, right: actors.awardTo(actors.solvers[0]!, made.bounty, commitment) };
    };

    it('awarded by a bare two thirds, against one dissent and after a change of mind', async function () {
      this.timeout(30_000);
      const { bounty, challenge, commitment, right } = await withSubmission();
      await judged(bounty, [actors.refund, right, right, right, actors.refund]);
      await actors.recordVerdict(actors.guardians[0]!, bounty.bountyId, right, nameOf('changed'));
      await actors.settle(bounty.bountyId);
      // At the head and not final: still open here, and no record.
      await clock.seenBy(server.url);
      const early = await read(bounty);
      expect(early.bounty.status).to.equal('open');
      expect(early.verification_record_error.code).to.equal('bounty_not_final');
      expect(early).to.not.have.property('verification_record');
      expect((await verifyRecord(bounty)).code).to.equal(5);

      const { bounty: shown, verification_record: record } = await ended(bounty);
      expect([shown.status, shown.winner]).to.deep.equal(['awarded', actors.solvers[0]!.address]);
      expect(record).to.deep.include({
        schema: 'verification-record/v0',
        advisory: true,
        outcome: 'awarded',
        winner: actors.solvers[0]!.address.toLowerCase(),
        awarded_submission_commitment: commitment,
        payout: { token_address: stack.tokenAddress.toLowerCase(), amount: String(bounty.netAmount) },
        challenge: { spec_commitment: bounty.specCommitment, byte_length: challenge.length },
        quorum: { roster_size: 5, threshold: 4, matching: 4 },
      });
      const supporting = record.supporting_verdicts.map(
        (row: { guardian_address: string }) => row.guardian_address,
      );
      const forged = await verifyRecord(
        bounty,
        JSON.stringify({ ...record, winner: actors.stranger.address }),
      );
      expect([forged.code, forged.stderr]).to.deep.equal([
        1,
        'error: The records differ, first in winner: the chain and IPFS say otherwise.\nnext: Do not rely on the record that you were given.\n',
      ]);
      expect(supporting).to.deep.equal(
        actors.guardians
          .slice(0, 4)
          .map(({ address }) => address.toLowerCase())
          .sort(),
      );
      expect(
        record.supporting_verdicts.map((row: { report_commitment: Hex }) => row.report_commitment),
      ).to.include(nameOf('changed'));
    });

    it('refunded by Verdicts', async function () {
      this.timeout(30_000);
      const { bounty, right } = await withSubmission();
      await judged(bounty, [actors.refund, actors.refund, actors.refund, actors.refund, right]);
      await actors.settle(bounty.bountyId);
      const { bounty: shown, verification_record: record } = await ended(bounty);
      expect([shown.status, shown.winner]).to.deep.equal(['refunded', null]);
      expect(record).to.deep.include({ outcome: 'refunded', winner: null, payout: null });
    });

    it('timed out after a tie and after payout data that differ', async function () {
      this.timeout(30_000);
      const { bounty, commitment, right } = await withSubmission();
      const other = award(
        actors.solvers[0]!.address,
        commitment,
        payout(bounty.token, bounty.netAmount - 1n),
      );
      await judged(bounty, [right, right, other, other, actors.refund]);
      const settled = await actors.settle(bounty.bountyId).catch((error: unknown) => error);
      expect(String(settled)).to.contain('Hub_NoMajority');
      await clock.warpTo(Number(bounty.settlementTimeoutAt));
      await actors.timeOut(bounty.bountyId);
      const { bounty: shown, verification_record: record } = await ended(bounty);
      expect(shown.status).to.equal('timed_out');
      expect(record).to.deep.include({ outcome: 'timed_out', supporting_verdicts: [] });
      expect(record.quorum.matching).to.equal(0);
    });

    it('waits for the challenge, and is the same from a fresh server and from an emptied table', async function () {
      this.timeout(60_000);
      const { bounty, challenge } = await newBounty(false);
      await clock.warpTo(Number(bounty.submissionDeadline));
      await judged(bounty, Array(4).fill(actors.refund));
      await actors.settle(bounty.bountyId);
      await clock.finalizeFor(server.url);
      const without = await read(bounty);
      expect(without.challenge).to.equal(null);
      expect(without.verification_record_error.code).to.equal('challenge_unavailable');
      expect(without).to.not.have.property('verification_record');
      await put(challenge);

      // A node that lies about the bytes: no record, and the mismatch is said.
      const proxy = await startWireProxy(stack.ipfsUrl);
      const environment = stack.serverEnvironment({ RATE_PER_ADDRESS: '0', IPFS_API_URL: proxy.url });
      const fresh = await startApiServer(environment, { watch: stack.watch });
      try {
        await clock.finalizeFor(fresh.url);
        proxy.fault = {
          kind: 'rewrite',
          rewrite: (body) => body.toString().replaceAll('gallium', 'calcium'),
        };
        const lied = await read(bounty, fresh.url);
        expect(lied.error.code).to.equal('bounty_challenge_content_mismatch');
        expect(lied.verification_record_error.code).to.equal('challenge_unavailable');
        proxy.fault = undefined;

        const first = (await read(bounty)).verification_record;
        const second = (await read(bounty, fresh.url)).verification_record;
        expect(canonicalJson(second)).to.equal(canonicalJson(first));
        await tamper(
          `UPDATE verification_record SET record = replace(record, 'refunded', 'awarded') WHERE bounty_id = ${bounty.bountyId}`,
        );
        await clock.finalizeFor(fresh.url);
        expect(canonicalJson((await read(bounty, fresh.url)).verification_record)).to.equal(
          canonicalJson(first),
        );
        await tamper('DELETE FROM verification_record');
        await clock.finalizeFor(server.url);
        expect(canonicalJson((await read(bounty)).verification_record)).to.equal(canonicalJson(first));
      } finally {
        await fresh.stop();
        await proxy.stop();
      }
    });

    const tamper = async (sql: string): Promise<void> => {
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: stack.databaseUrl });
      await client.connect();
      await client.query(sql);
      await client.end();
    };
  });
});
