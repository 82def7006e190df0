// Nobody but Poster and Guardians ever reads an envelope. Its commitment is public, so a thief writes it wherever the chain
// takes 32 bytes - as a challenge, as a report, as a Submission of their own - and then asks every public surface for it.

import { expect } from 'chai';
import { create } from 'ipfs-http-client';
import { CID } from 'multiformats/cid';
import { create as digest } from 'multiformats/hashes/digest';
import { hexToBytes } from 'viem';
import { ROUTES } from '../../../server/api/routes.ts';
import type { LocalApiServer } from '../../../server/local/apiServer.ts';
import type { LocalStack } from '../../../server/local/stack.ts';
import { type Actors, actorsOn, type CreatedBounty } from '../../actors/actors.ts';
import { type Clock, clockOf } from '../../actors/clock.ts';
import { type HandSealed, sealByHand } from '../../actors/handSealed.ts';
import { submissionFlow } from '../../actors/submissionFlow.ts';
import { sharedServer, sharedStack } from '../../localStack.ts';
import { ask } from '../../subgraph/readModel.ts';

/** Codecs and hash functions that an address of 32 known bytes could have: raw, dag-pb, dag-cbor; sha2, sha3, keccak, blake. */
const CODECS = [0x55, 0x70, 0x71, 0x0129];
const HASHES = [0x12, 0x16, 0x1b, 0x1e, 0xb220];

describe('an envelope', function () {
  this.timeout(60_000);
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let clock: Clock;
  let sealed: HandSealed;
  let bounty: CreatedBounty;
  let stolen: CreatedBounty;
  /** What no answer may hold: parts of the envelope that the chain does not say. */
  let secrets: string[];

  before(async () => {
    [stack, server] = await Promise.all([sharedStack(), sharedServer()]);
    actors = actorsOn(stack);
    clock = clockOf(stack);
    const [solver, thief] = actors.solvers;
    bounty = await actors.createBounty();
    await clock.finalizeFor(server.url);
    sealed = await sealByHand(
      stack,
      bounty,
      solver!.address,
      new TextEncoder().encode('an unpublished proof'),
    );
    await submissionFlow(stack, server.url, actors).submit(solver!, bounty.bountyId, sealed);
    const { submissionCommitment: commitment, envelope } = sealed;
    stolen = await actors.createBounty({ specCommitment: commitment });
    await actors.submit(thief!, bounty.bountyId, commitment);
    await actors.submit(thief!, stolen.bountyId, commitment);
    await clock.warpTo(Number(stolen.submissionDeadline));
    await actors.recordVerdict(actors.guardians[0]!, stolen.bountyId, actors.refund, commitment);
    await clock.finalizeFor(server.url);
    secrets = [
      envelope.key_bag.ciphertext.slice(0, 80),
      envelope.key_bag.sha256,
      envelope.bundle.ciphertext_sha256,
      envelope.storage.locator,
    ];
  });

  const expectNothing = (text: string, where: string): void => {
    for (const secret of secrets) expect(text.includes(secret), `${where} tells ${secret}`).to.equal(false);
  };

  it('is what these parts are looked for in', () => {
    const text = new TextDecoder().decode(sealed.envelopeBytes);
    for (const secret of secrets) expect(text).to.include(secret);
  });

  it('is told by no route to somebody without a signature', async () => {
    const values: Record<string, string[]> = {
      bounty_id: [String(bounty.bountyId), String(stolen.bountyId)],
      submission_commitment: [sealed.submissionCommitment],
      report_commitment: [sealed.submissionCommitment],
      solver_address: actors.solvers.map(({ address }) => address),
      token: [sealed.submissionCommitment.slice(2)],
    };
    let asked = 0;
    for (const { method, route: path } of ROUTES.filter((route) => route.method === 'GET')) {
      const names = [...String(path).matchAll(/\{([a-z_]+)\}/g)].map(([, name]) => name!);
      const targets = names.reduce<string[]>(
        (paths, name) =>
          paths.flatMap((one) =>
            (values[name] ?? [sealed.submissionCommitment]).map((value: string) =>
              one.replace(`{${name}}`, value),
            ),
          ),
        [path],
      );
      for (const target of targets) {
        const response = await fetch(server.url + target, { method });
        expectNothing(await response.text(), `GET ${target}`);
        asked += 1;
      }
    }
    expect(asked).to.be.greaterThan(10);
  });

  it('is no challenge, though a bounty commits to it, and no written Verdict, though a Guardian does', async () => {
    const detail = await (await fetch(`${server.url}/api/bounties/${stolen.bountyId}`)).json();
    expect(detail).to.include({ challenge: null });
    const report = await fetch(`${server.url}/api/written-verdicts/${sealed.submissionCommitment}`);
    expect(report.status).to.equal(404);
  });

  it('stands in no entity of either subgraph', async () => {
    const hub = await everything(stack.subgraphUrl);
    expect(hub).to.include(sealed.submissionCommitment);
    expectNothing(hub, 'hub');
    expectNothing(await everything(stack.documentsUrl), 'documents');
  });

  it('lies on IPFS under no address that the chain lets anybody compute', async () => {
    const { block } = create({ url: stack.ipfsUrl });
    const bytes = hexToBytes(sealed.submissionCommitment);
    const offline: object = { offline: true };
    for (const code of CODECS)
      for (const hash of HASHES) {
        const cid = CID.createV1(code, digest(hash, bytes));
        const found = await block.get(cid, { timeout: 2_000, ...offline }).catch(() => undefined);
        expect(found, String(cid)).to.equal(undefined);
      }
  });
});

/** Every row of every list of a subgraph, each with all of its fields that are not lists or rows of others. */
async function everything(url: string): Promise<string> {
  const { __schema } = await ask(
    url,
    '{ __schema { queryType { fields { name type { ...T } } } types { name fields { name args { name } type { ...T } } } } }' +
      ' fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }',
  );
  type Type = { kind: string; name: string | null; ofType?: Type | null };
  const inner = (type: Type): Type => (type.ofType ? inner(type.ofType) : type);
  const isList = (type: Type): boolean => type.kind === 'LIST' || (type.ofType ? isList(type.ofType) : false);
  let text = '';
  for (const field of __schema.queryType.fields as { name: string; type: Type }[]) {
    if (!isList(field.type) || field.name.startsWith('_') || field.name.endsWith('Search')) continue;
    const type = (__schema.types as { name: string; fields: { name: string; type: Type }[] | null }[]).find(
      ({ name }) => name === inner(field.type).name,
    );
    const leaves = (type?.fields ?? []).filter(({ type: of }) => ['SCALAR', 'ENUM'].includes(inner(of).kind));
    if (leaves.length === 0) continue;
    const rows = await ask(
      url,
      `{ ${field.name}(first: 1000) { ${leaves.map(({ name }) => name).join(' ')} } }`,
    );
    text += JSON.stringify(rows);
  }
  return text;
}
