// Three Solvers seal real folders through the SDK and record them; nobody opens anything before the deadline; afterwards
// each pinned Guardian opens each, the winner's folder reaches the Poster, and all of it byte for byte.

import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Hex } from 'viem';
import type { LocalApiServer } from '../../server/local/apiServer.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { decodeBase64Url } from '../../server/protocol/base64Url.ts';
import { ApiError } from '../../server/sdk/apiError.ts';
import { fileSink } from '../../server/sdk/node/fileSink.ts';
import { packFolder } from '../../server/sdk/node/packFolder.ts';
import { unpackFolder } from '../../server/sdk/node/unpackFolder.ts';
import { openSubmission } from '../../server/sdk/open.ts';
import { receiveWork } from '../../server/sdk/receiveWork.ts';
import { seal } from '../../server/sdk/seal.ts';
import { unlock } from '../../server/sdk/timeLock.ts';
import { TimeLockError } from '../../server/sdk/timeLockError.ts';
import { wrapForDelivery } from '../../server/sdk/wrapForDelivery.ts';
import {
  type Actor,
  type Actors,
  actorsOn,
  type CreatedBounty,
  type GuardianActor,
} from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { sharedServer, sharedStack } from '../localStack.ts';
import { clientOf, walletOf } from '../sdk/clientOf.ts';
import { failureOf } from '../sdk/failureOf.ts';

/** The largest package that the service takes, but for what packing adds. */
const LARGE_BYTES = 50 * 1024 * 1024 - 20_000;

describe('from a folder to a folder', function () {
  this.timeout(120_000);
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let bounty: CreatedBounty;
  let base: string;
  const submitted: { solver: Actor; folder: string; commitment: Hex }[] = [];

  const as = (person?: Actor) => clientOf(stack, server.url, person);
  const keyOf = (guardian: GuardianActor) =>
    decodeBase64Url(guardian.encryption_private_key) as Uint8Array<ArrayBuffer>;
  const openAs = (guardian: GuardianActor, submissionCommitment: Hex) =>
    openSubmission(
      as(guardian),
      {
        bountyId: bounty.bountyId,
        submissionCommitment,
        account: guardian.address,
        privateKey: keyOf(guardian),
      },
      { drandUrls: [stack.drand.url] },
    );

  const folderOf = async (name: string, files: Record<string, Uint8Array | string>): Promise<string> => {
    const folder = join(base, name);
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return folder;
  };

  const contentOf = async (folder: string): Promise<Record<string, string>> => {
    const found: Record<string, string> = {};
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const place = join(entry.parentPath, entry.name);
      if (entry.isFile()) found[place.slice(folder.length)] = (await readFile(place)).toString('base64');
    }
    return found;
  };

  /** A Solver's way, as the SDK offers it. */
  const submit = async (solver: Actor, folder: string): Promise<void> => {
    const client = as(solver);
    const archive = `${folder}.tar.gz`;
    await packFolder(folder, archive);
    const sink = await fileSink(`${folder}.age`);
    const sealed = await seal({
      deployment: client.deployment,
      facts: await client.sealingFacts(bounty.bountyId),
      solverAddress: solver.address,
      package: await openAsBlob(archive),
      sink,
    });
    await client.submissions.upload(bounty.bountyId, sealed.ciphertext);
    const prepared = await client.submissions.prepare(bounty.bountyId, sealed.envelopeBytes);
    await client.send(prepared.calls, { wallet: walletOf(stack, solver) });
    await sink.discard();
    submitted.push({ solver, folder, commitment: sealed.submissionCommitment });
  };

  before(async () => {
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    clock = clockOf(stack);
    base = await mkdtemp(join(tmpdir(), 'solvers-'));
    bounty = await actors.createBounty();
    await clock.finalizeFor(server.url);
  });
  after(() => rm(base, { recursive: true, force: true }));

  it('seals, uploads, prepares and records three folders, one of 50 MiB', async () => {
    const [one, two, three] = actors.solvers as [Actor, Actor, Actor];
    await submit(
      one,
      await folderOf('small', { 'report.md': '# Measured\n', 'data/run 1.csv': 'a,b\n1,2\n' }),
    );
    await submit(two, await folderOf('large', { 'raw.bin': randomBytes(LARGE_BYTES) }));
    await submit(
      three,
      await folderOf(
        'many',
        Object.fromEntries([...Array(300).keys()].map((n) => [`d${n % 7}/${n}`, `${n}`])),
      ),
    );
    await clock.finalizeFor(server.url);
    const { submissions } = (await as().bounties.get(bounty.bountyId)).bounty;
    expect(submissions).to.have.length(3);
  });

  it('opens nothing before the deadline: not for a Guardian, not with everything that the operator stores', async () => {
    await clock.warpTo(Number(bounty.submissionDeadline) - 1);
    await clock.indexed();
    for (const { commitment } of submitted) {
      const early = await failureOf(openAs(actors.guardians[0]!, commitment), TimeLockError);
      expect(early.reason).to.equal('too_early');
    }
    // The operator has the envelope's bytes; the beacon is public; the lock holds all the same.
    const { envelope } = await as(actors.poster).submissions.content(
      bounty.bountyId,
      submitted[0]!.commitment,
    );
    const { round } = envelope.reveal_policy;
    const bag = decodeBase64Url(envelope.key_bag.ciphertext)!;
    const { drand } = as().deployment;
    const tried = unlock(bag, { network: drand, round }, { drandUrls: [stack.drand.url] });
    expect((await failureOf(tried, TimeLockError)).reason).to.equal('too_early');
    const earlier = unlock(bag, { network: drand, round: round - 2 }, { drandUrls: [stack.drand.url] });
    expect((await failureOf(earlier, TimeLockError)).reason).to.equal('wrong_lock');
  });

  it('opens each for each pinned Guardian afterwards, byte for byte', async () => {
    await clock.warpTo(Number(bounty.submissionDeadline) + stack.drand.period);
    await clock.finalizeFor(server.url);
    for (const [place, guardian] of actors.guardians.entries())
      for (const { folder, commitment } of submitted) {
        const opened = await openAs(guardian, commitment);
        expect(opened.isActive).to.equal(true);
        const target = `${folder}.opened-${place}`;
        await unpackFolder(opened.read(), target);
        opened.contentKey.fill(0);
        expect(await contentOf(target)).to.deep.equal(await contentOf(folder));
        await rm(target, { recursive: true });
      }
  });

  it('opens nothing for somebody who is not on the pinned roster', async () => {
    const outsider = { ...actors.guardians[0]!, ...actors.stranger } as GuardianActor;
    const refused = await failureOf(openAs(outsider, submitted[0]!.commitment), TypeError);
    expect(refused.message).to.contain('not on the pinned roster');
    const { bountyId } = bounty;
    const read = as(actors.stranger).submissions.content(bountyId, submitted[0]!.commitment);
    expect((await failureOf(read, ApiError)).code).to.equal('forbidden');
  });

  it('brings the winning folder to the Poster, opened with the retrieve answer, the content and the own key', async () => {
    const { solver, folder, commitment } = submitted[1]!;
    const guardian = actors.guardians[2]!;
    const opened = await openAs(guardian, commitment);
    await wrapForDelivery(as(guardian), bounty.bountyId, opened.submission, opened.contentKey);
    opened.contentKey.fill(0);
    const verdict = actors.awardTo(solver, bounty, commitment);
    for (const judge of actors.guardians.slice(0, 4))
      await actors.recordVerdict(judge, bounty.bountyId, verdict);
    await actors.settle(bounty.bountyId);
    await clock.finalizeFor(server.url);
    const received = await receiveWork(as(actors.poster), bounty.bountyId);
    expect(received.submissionCommitment).to.equal(commitment);
    const target = join(base, 'received');
    await unpackFolder(received.package, target);
    expect(await contentOf(target)).to.deep.equal(await contentOf(folder));
  });
});
