// Who may do what: every role against every signed route, on a chain of its own where the roster changed after the bounty
// was pinned to it. "Allowed" means that the request gets past step 4, whatever its body is worth.

import { expect } from 'chai';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { hubAbi } from '../../abis/hubAbi.ts';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { encodeBase64Url } from '../../server/protocol/base64Url.ts';
import { commitmentOf } from '../../server/protocol/commitment.ts';
import { x25519PublicKey } from '../../server/protocol/x25519KeyPair.ts';
import { type Actors, actorsOn } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { sealByHand } from '../actors/handSealed.ts';
import { type PlainRequest, signerOf } from '../actors/signedRequest.ts';
import { submissionFlow } from '../actors/submissionFlow.ts';
import { ownStack } from '../localStack.ts';
import { writtenVerdictBytes } from '../protocol/writtenVerdictDocument.ts';

const ROLES = [
  'Poster',
  'other Poster',
  'Solver',
  'other Solver',
  'pinned Guardian',
  'Guardian removed after pinning',
  'Guardian of another roster',
  'stranger',
] as const;
type Role = (typeof ROLES)[number];

const PINNED: readonly Role[] = ['pinned Guardian', 'Guardian removed after pinning'];

/** Every signed route, who may use it, and a request of that role. */
const ROUTES: readonly [string, readonly Role[]][] = [
  ['prepare-publication', ['Poster']],
  ['artifact-upload-url', ['Solver']],
  ['prepare', ['Solver']],
  ['content', ['Poster', ...PINNED]],
  ['written-verdicts', PINNED],
  ['delivery/wrap', PINNED],
  ['delivery/retrieve', ['Poster']],
];

describe('who may do what', () => {
  let stack: LocalStack;
  let server: LocalApiServer;
  let actors: Actors;
  let keys: Record<Role, { private_key: Hex }>;
  let request: (route: string, role: Role) => PlainRequest;

  before(async function () {
    this.timeout(90_000);
    stack = await ownStack();
    actors = actorsOn(stack);
    const clock = clockOf(stack);
    const rates = {
      RATE_PER_ADDRESS: '0',
      UPLOAD_UNNAMED_PER_SOLVER: '1000',
      UPLOAD_UNNAMED_PER_ADDRESS: '10000',
      RATE_PER_SIGNER: '0',
    };
    server = await startApiServer(stack.serverEnvironment(rates), { watch: stack.watch });
    const bounty = await actors.createBounty();
    await actors.createBounty({}, actors.solvers[2]!);
    await clock.finalizeFor(server.url);
    const solver = actors.solvers[0]!;
    const sealed = await sealByHand(stack, bounty, solver.address, new TextEncoder().encode('work'));
    await submissionFlow(stack, server.url, actors).submit(solver, bounty.bountyId, sealed);

    // The first Guardian goes, a new one comes: neither matters for the bounty, which pinned the roster before.
    const newcomer = generatePrivateKey();
    const roster = [
      ...stack.accounts.guardians.slice(1).map(({ address, name, encryption_public_key }) => ({
        account: address,
        name,
        encryptionPublicKey: encryption_public_key,
      })),
      {
        account: privateKeyToAccount(newcomer).address,
        name: 'Newcomer',
        encryptionPublicKey: encodeBase64Url(x25519PublicKey(crypto.getRandomValues(new Uint8Array(32)))),
      },
    ].sort((one, other) => (one.account.toLowerCase() < other.account.toLowerCase() ? -1 : 1));
    await actors.client.writeContractSync({
      address: stack.hubAddress,
      abi: hubAbi,
      functionName: 'publishRoster',
      args: [roster],
      account: actors.owner.account,
    });
    await clock.warpTo(Number(bounty.submissionDeadline));
    await clock.finalizeFor(server.url);

    keys = {
      Poster: actors.poster,
      'other Poster': actors.solvers[2]!,
      Solver: solver,
      'other Solver': actors.solvers[1]!,
      'pinned Guardian': actors.guardians[1]!,
      'Guardian removed after pinning': actors.guardians[0]!,
      'Guardian of another roster': { private_key: newcomer },
      stranger: actors.stranger,
    };
    const base = `/api/bounties/${bounty.bountyId}`;
    const json = (target: string, body: object): PlainRequest => ({ method: 'POST', target, body });
    request = (route, role) => {
      switch (route) {
        case 'prepare-publication':
          return {
            method: 'POST',
            target: `/api/bounty-challenge-specs/prepare-publication?poster_address=${actors.poster.address}`,
            body: '# not a challenge',
            contentType: 'text/markdown',
          };
        case 'artifact-upload-url':
          return json(`${base}/submissions/${solver.address}/artifact-upload-url`, {});
        case 'prepare':
          return json(`${base}/submissions/${solver.address}/prepare`, {});
        case 'content':
          return { method: 'GET', target: `${base}/submissions/${sealed.submissionCommitment}/content` };
        case 'written-verdicts': {
          const bytes = writtenVerdictBytes({
            hubAddress: stack.hubAddress,
            bountyId: String(bounty.bountyId),
            specCommitment: bounty.specCommitment,
            guardianAddress: privateKeyToAccount(keys[role].private_key).address,
            outcome: 'refunded',
          });
          const target = `/api/written-verdicts/${commitmentOf(bytes)}`;
          return { method: 'POST', target, body: bytes, contentType: 'text/markdown' };
        }
        default:
          return json(`${base}/${route}`, {});
      }
    };
  });

  after(async () => {
    await stack?.stop();
  });

  for (const [route, allowed] of ROUTES) {
    for (const role of ROLES) {
      const may = allowed.includes(role);
      it(`${route}: ${role} ${may ? 'may' : 'may not'}`, async () => {
        const { status, body } = await signerOf(stack, server.url).send(keys[role], request(route, role));
        if (may) expect(status, JSON.stringify(body)).to.be.oneOf([200, 201, 400]);
        else expect([status, body.error.code]).to.deep.equal([403, 'forbidden']);
      });
    }
  }
});
