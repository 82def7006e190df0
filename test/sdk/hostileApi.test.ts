// An API that lies: it swaps Guardian keys, names another drand chain or Hub, prepares other calls, hands out another
// Submission or another delivery key. The SDK acts on nothing of it.

import { expect } from 'chai';
import type { LocalStack } from '../../server/local/stack.ts';
import { encodeBase64Url } from '../../server/protocol/base64Url.ts';
import { x25519PublicKey } from '../../server/protocol/x25519KeyPair.ts';
import { seal } from '../../server/sdk/seal.ts';
import { UntrustedAnswerError } from '../../server/sdk/untrustedAnswer.ts';
import { wrapForDelivery } from '../../server/sdk/wrapForDelivery.ts';
import { type Actor, type Actors, actorsOn, type CreatedBounty } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { sharedStack } from '../localStack.ts';
import { clientOf } from './clientOf.ts';
import { failureOf } from './failureOf.ts';
import { type ProxiedServer, startProxiedServer } from './proxiedServer.ts';

type Json = Record<string, unknown>;

describe('a hostile API', function () {
  this.timeout(60_000);
  let stack: LocalStack;
  let actors: Actors;
  let api: ProxiedServer;
  let bounty: CreatedBounty;
  let solver: Actor;
  const otherKey = encodeBase64Url(x25519PublicKey(crypto.getRandomValues(new Uint8Array(32))));
  const otherHub = `0x${'de'.repeat(20)}`;
  const otherHash = `0x${'ab'.repeat(32)}`;

  before(async () => {
    stack = await sharedStack();
    actors = actorsOn(stack);
    solver = actors.solvers[0]!;
    api = await startProxiedServer(stack);
    bounty = await actors.createBounty();
    await clockOf(stack).finalizeFor(api.server.url);
  });
  after(() => api?.stop());
  afterEach(() => {
    api.proxy.fault = undefined;
  });

  const as = (person?: Actor) => clientOf(stack, api.proxy.url, person);

  /** Changes the JSON answers of paths that end like this. */
  const lie = (ending: RegExp, change: (body: Json) => void): void => {
    api.proxy.fault = (path) =>
      ending.test(path)
        ? {
            kind: 'rewrite',
            rewrite: (bytes) => {
              const body = JSON.parse(bytes.toString()) as Json;
              change(body);
              return JSON.stringify(body);
            },
          }
        : undefined;
  };

  const contradicted = async (work: Promise<unknown>): Promise<string[]> =>
    (await failureOf(work, UntrustedAnswerError)).issues.map(({ path }) => path);

  const sealed = async (by = solver) => {
    const client = as(by);
    return seal({
      deployment: client.deployment,
      facts: await client.sealingFacts(bounty.bountyId),
      solverAddress: by.address,
      package: new Blob(['work']),
    });
  };

  it('that names another Hub, domain or drand chain is not talked to', async () => {
    const lies: [string, (body: Json) => void][] = [
      ['hub_address', (body) => (body.hub_address = otherHub)],
      ['domain.verifying_contract', (body) => ((body.domain as Json).verifying_contract = otherHub)],
      ['drand.chain_hash', (body) => ((body.drand as Json).chain_hash = otherHash.slice(2))],
      ['drand.public_key', (body) => ((body.drand as Json).public_key = 'ab'.repeat(96))],
      ['drand.genesis', (body) => ((body.drand as Json).genesis = 1)],
      ['chain_id', (body) => (body.chain_id = 1)],
    ];
    for (const [path, change] of lies) {
      lie(/\/api\/deployment$/, change);
      expect(await contradicted(as(solver).submissions.upload(bounty.bountyId, new Blob(['x'])))).to.include(
        path,
      );
    }
  });

  it('that swaps the Guardians’ keys is refused when it is read, and nothing is sealed to its keys', async () => {
    lie(/\/api\/bounties\/\d+$/, ({ bounty: shown }) => {
      for (const guardian of (shown as { guardian_roster: Json[] }).guardian_roster)
        guardian.encryption_public_key = otherKey;
    });
    expect(await contradicted(as().bounties.get(bounty.bountyId))).to.include(
      'the hash of bounty.guardian_roster',
    );
    const { envelope } = await sealed();
    expect(envelope.recipients.recipients_commitment).to.equal(
      (await as().sealingFacts(bounty.bountyId)).recipientsCommitment,
    );
  });

  it('that moves deadlines or shows another challenge is refused', async () => {
    lie(/\/api\/bounties\/\d+$/, ({ bounty: shown }) => {
      (shown as Json).submission_deadline = Number(bounty.submissionDeadline) + 60;
    });
    expect(await contradicted(as().bounties.get(bounty.bountyId))).to.include('bounty.submission_deadline');
    lie(/\/api\/bounties\/\d+$/, (body) => {
      body.challenge = '# Another challenge\n';
    });
    expect(await contradicted(as().bounties.get(bounty.bountyId))).to.include(
      'the commitment of the challenge',
    );
  });

  it('that names another locator gets no byte, and its receipt for other bytes is refused', async () => {
    lie(/artifact-upload-url$/, (body) => {
      body.storage_locator = `ipfs://${'b'.repeat(59)}`;
    });
    expect(await contradicted(as(solver).submissions.upload(bounty.bountyId, new Blob(['abc'])))).to.include(
      'storage_locator',
    );
    lie(/\/api\/uploads\//, (body) => {
      body.ciphertext_sha256 = 'cd'.repeat(32);
    });
    expect(
      await contradicted(as(solver).submissions.upload(bounty.bountyId, new Blob(['abcd']))),
    ).to.not.deep.equal([]);
  });

  it('that prepares another call than the SDK derives is refused before the wallet hears of it', async () => {
    const { ciphertext, envelopeBytes } = await sealed(actors.solvers[2]!);
    await as(actors.solvers[2]!).submissions.upload(bounty.bountyId, ciphertext);
    const lies: ((call: Json) => void)[] = [
      (call) => (call.to = otherHub),
      (call) => (call.data = `${String(call.data).slice(0, -64)}${otherHash.slice(2)}`),
    ];
    for (const change of lies) {
      lie(/\/prepare$/, ({ prepared }) => change((prepared as { calls: Json[] }).calls[0]!));
      await contradicted(as(actors.solvers[2]!).submissions.prepare(bounty.bountyId, envelopeBytes));
    }
    lie(/\/prepare$/, (body) => {
      body.submission_commitment = otherHash;
    });
    expect(
      await contradicted(as(actors.solvers[2]!).submissions.prepare(bounty.bountyId, envelopeBytes)),
    ).to.include('submission_commitment');
  });

  it('that hands out another envelope, or an own delivery key under the name of the real one, is refused', async () => {
    const { ciphertext, envelopeBytes, submissionCommitment } = await sealed(actors.solvers[1]!);
    const other = actors.solvers[1]!;
    const client = as(other);
    await client.submissions.upload(bounty.bountyId, ciphertext);
    await client.submissions.prepare(bounty.bountyId, envelopeBytes);
    await actors.submit(other, bounty.bountyId, submissionCommitment);
    await clockOf(stack).finalizeFor(api.server.url);
    const guardian = as(actors.guardians[0]!);
    lie(/\/content$/, (body) => {
      body.envelope = String(body.envelope).replace('"age-x25519"', '"age-x25518"');
    });
    expect(
      await contradicted(guardian.submissions.content(bounty.bountyId, submissionCommitment)),
    ).to.include('the commitment of the envelope');
    lie(/\/content$/, ({ ciphertext: offer }) => {
      (offer as Json).sha256 = 'cd'.repeat(32);
    });
    expect(
      await contradicted(guardian.submissions.content(bounty.bountyId, submissionCommitment)),
    ).to.include('ciphertext.sha256');
    api.proxy.fault = undefined;
    const content = await guardian.submissions.content(bounty.bountyId, submissionCommitment);
    lie(/delivery-key$/, (body) => {
      body.public_key = otherKey;
    });
    const key = crypto.getRandomValues(new Uint8Array(32));
    expect(await contradicted(wrapForDelivery(guardian, bounty.bountyId, content, key))).to.include('key_id');
  });
});
