// The whole workflow through the CLI alone, as its users type it, on the real stack; and what it says when it is refused.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { LocalApiServer } from '../../server/local/apiServer.ts';
import { demoChallenge } from '../../server/local/demoChallenge.ts';
import { demoVerdict } from '../../server/local/demoVerdict.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { type Actor, type Actors, actorsOn } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { sharedServer, sharedStack } from '../localStack.ts';
import { cli, type Ran, userFiles } from './stage.ts';

describe('service-cli, from a challenge to the winning folder', function () {
  this.timeout(60_000);
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let user: Awaited<ReturnType<typeof userFiles>>;
  let bountyId: string;
  let commitment: string;
  let challenge: string;
  let solver: Actor;

  before(async () => {
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    clock = clockOf(stack);
    user = await userFiles(stack, server.url);
    solver = actors.solvers[1]!;
    await clock.finalizeFor(server.url);
  });
  after(() => rm(user.folder, { recursive: true, force: true }));

  const as = async (person: Pick<Actor, 'private_key' | 'address'>, ...args: string[]): Promise<Ran> => {
    const key = await user.secret(`${person.address}.key`, person.private_key);
    return cli([...args, '--deployment', user.deployment, '--key-file', key, '--yes', '--json']);
  };
  const read = (...args: string[]): Promise<Ran> => cli([...args, '--deployment', user.deployment, '--json']);
  // biome-ignore lint/suspicious/noExplicitAny: each command has a result of its own shape.
  const done = ({ code, out, log }: Ran): any => {
    expect(code, log).to.equal(0);
    expect(out.trim().split('\n'), 'one line of JSON').to.have.length(1);
    return JSON.parse(out);
  };
  const failed = (
    { code, out, log }: Ran,
    exitCode: number,
  ): { code: string; next_action: string; message: string } => {
    expect([code, out], log).to.deep.equal([exitCode, '']);
    const error = JSON.parse(log.trim().split('\n').at(-1)!).error;
    expect(error.message).to.not.equal('');
    return error;
  };

  it('publish: stores and funds a challenge', async () => {
    challenge = demoChallenge(stack, await clock.now()).replace('## Deliv', 'By the CLI.\n\n## Deliv');
    const file = await user.secret('bounty_challenge.md', challenge);
    const result = done(await as(actors.poster, 'publish', file));
    expect(result.spec_commitment).to.equal(commitmentOf(new TextEncoder().encode(challenge)));
    expect(result.transactions).to.have.length(1);
    bountyId = result.bounty_id;
    await clock.finalizeFor(server.url);
    const missing = await user.secret('wrong.md', challenge.replace('title:', 'titel:'));
    const refused = await as(actors.poster, 'publish', missing);
    expect(failed(refused, 1).code).to.equal('invalid_challenge_frontmatter');
    expect(refused.log).to.contain('frontmatter.titel');
    expect(failed(await as(solver, 'publish', file), 1).code).to.equal('invalid_challenge_frontmatter');
  });

  it('bounty list and show: what the chain says, with warnings where a challenge disagrees', async () => {
    const { bounties } = done(
      await read('bounty', 'list', '--poster', actors.poster.address, '--limit', '3'),
    );
    expect(bounties.map(({ bounty_id: id }: { bounty_id: string }) => id)).to.include(bountyId);
    const shown = done(await read('bounty', 'show', bountyId));
    expect([shown.bounty.status, shown.challenge, shown.warnings]).to.deep.equal(['open', challenge, []]);
    const specCommitment = shown.bounty.spec_commitment;
    const copy = await actors.createBounty({ specCommitment, amount: 5n }, actors.solvers[2]!);
    await clock.finalizeFor(server.url);
    const warned = await cli(['bounty', 'show', String(copy.bountyId), '--deployment', user.deployment]);
    expect(warned.code).to.equal(0);
    expect(warned.log)
      .to.match(/warning: The challenge states Poster .* the Hub has/)
      .and.to.contain('states reward 2500000000');
    expect(failed(await read('bounty', 'show', '999999'), 1).code).to.equal('bounty_not_found');
  });

  it('submit: packs, seals, uploads and records a folder', async () => {
    const folder = join(user.folder, 'work');
    await mkdir(join(folder, 'data'), { recursive: true });
    await writeFile(join(folder, 'data', 'readings.csv'), '0,302.9146\n');
    await writeFile(join(folder, 'report.md'), '# Gallium\n');
    const ran = await as(solver, 'submit', bountyId, folder);
    commitment = done(ran).submission_commitment;
    expect(ran.log)
      .to.match(/packing: \d+ bytes/)
      .and.to.match(/uploading: \d+ bytes/);
    await clock.finalizeFor(server.url);
    expect(done(await read('bounty', 'show', bountyId)).bounty.submissions).to.deep.equal([
      { solver: solver.address, submission_commitment: commitment },
    ]);
  });

  it('open: says that it is too early, and opens after the deadline for the right key alone', async () => {
    const guardian = actors.guardians[0]!;
    const key = await user.secret('guardian.x25519', guardian.encryption_private_key);
    const out = join(user.folder, 'opened');
    const args = ['open', bountyId, commitment, '--encryption-key', key, '--out', out];
    expect(failed(await as(guardian, ...args), 5).code).to.equal('too_early');
    const { bounty } = done(await read('bounty', 'show', bountyId));
    await clock.warpTo(bounty.submission_deadline + stack.drand.period);
    await clock.finalizeFor(server.url);
    expect(done(await as(guardian, ...args))).to.include({
      solver: solver.address.toLowerCase(),
      entries: 3,
    });
    expect(await readFile(join(out, 'report.md'), 'utf8')).to.equal('# Gallium\n');
    expect(failed(await as(guardian, ...args), 1).code).to.equal('target_exists');
    const other = await user.secret('other.x25519', actors.guardians[1]!.encryption_private_key);
    const wrong = ['open', bountyId, commitment, '--encryption-key', other, '--out', `${out}2`];
    expect(failed(await as(guardian, ...wrong), 1).message).to.contain('private key is not the one');
    expect(failed(await as(actors.stranger, ...args), 1).message).to.contain('not on the pinned roster');
  });

  it('verdict: publishes and records; settle: waits for two thirds', async () => {
    const { bounty } = done(await read('bounty', 'show', bountyId));
    const amount = (BigInt(bounty.escrow.amount) * 9_750n) / 10_000n;
    expect(failed(await as(actors.stranger, 'settle', bountyId), 3).code).to.match(/^Hub_/);
    for (const guardian of actors.guardians.slice(0, 4)) {
      const document = demoVerdict({
        chainId: stack.chainId,
        hubAddress: stack.hubAddress,
        bountyId: BigInt(bountyId),
        specCommitment: bounty.spec_commitment,
        guardian,
        award: {
          winner: solver.address,
          submissionCommitment: commitment as `0x${string}`,
          tokenAddress: stack.tokenAddress,
          amount,
        },
        reviewed: [{ solver: solver.address, submissionCommitment: commitment as `0x${string}` }],
        issuedAt: await clock.now(),
      });
      const file = await user.secret('verdict.md', new TextDecoder().decode(document));
      const result = done(await as(guardian, 'verdict', file));
      expect(result.report_commitment).to.equal(commitmentOf(document));
      expect(failed(await as(actors.guardians[4]!, 'verdict', file), 4).code).to.equal('forbidden');
    }
    expect(done(await as(actors.stranger, 'settle', bountyId)).transactions).to.have.length(1);
    expect(failed(await as(actors.stranger, 'timeout', bountyId), 3).code).to.match(/^Hub_/);
  });

  it('claim: pays the winner, and says when nothing is queued', async () => {
    const claimed = done(await as(solver, 'claim', stack.tokenAddress));
    expect(BigInt(claimed.amount) >= 2_437_500_000n).to.equal(true);
    expect(failed(await as(solver, 'claim', stack.tokenAddress), 3).message).to.contain('Nothing is queued');
  });

  it('wrap and retrieve: bring the winning folder to the Poster alone', async () => {
    await clock.finalizeFor(server.url);
    const guardian = actors.guardians[1]!;
    const out = join(user.folder, 'won');
    expect(failed(await as(actors.poster, 'retrieve', bountyId, '--out', out), 5).code).to.equal(
      'delivery_not_ready',
    );
    const key = await user.secret('guardian2.x25519', guardian.encryption_private_key);
    const wrapped = done(await as(guardian, 'wrap', bountyId, commitment, '--encryption-key', key));
    expect(wrapped).to.deep.equal({ stored: true, bounty_id: bountyId, submission_commitment: commitment });
    expect(failed(await as(solver, 'retrieve', bountyId, '--out', out), 4).code).to.equal('forbidden');
    done(await as(actors.poster, 'retrieve', bountyId, '--out', out));
    expect(await readFile(join(out, 'data', 'readings.csv'), 'utf8')).to.equal('0,302.9146\n');
  });

  it('verify-record: recomputes what the bounty read shows', async () => {
    const { verification_record: record } = done(await read('bounty', 'show', bountyId));
    const file = await user.secret('record.json', JSON.stringify(record));
    const args = ['--rpc-url', stack.rpcUrl, '--ipfs-url', stack.ipfsUrl, '--hub', stack.hubAddress];
    const ran = await cli(['verify-record', bountyId, ...args, '--record', file]);
    expect([ran.code, ran.log]).to.deep.equal([0, 'The record is the same, byte for byte.\n']);
  });

  it('sign-request: prints a header that the service accepts for that request alone', async () => {
    const target = `/api/bounties/${bountyId}/submissions/${commitment}/content`;
    const { authorization, url } = done(await as(actors.poster, 'sign-request', 'get', target));
    const ask = async (to: string) => (await fetch(to, { headers: { Authorization: authorization } })).status;
    expect([await ask(url), await ask(`${url}?x=1`)]).to.deep.equal([200, 400]);
    expect(await ask(url.replace(`/bounties/${bountyId}/`, '/bounties/999999/'))).to.equal(401);
  });
});
