// Random life on the chain - bounties, rosters, Submissions, Verdicts, settlements, reorgs above the finalized block - while
// random people ask. Whatever the server answers is what the raw logs say at the block that it names, or an honest 503; it
// never allows what they refuse. ORACLE_SEED repeats a run, ORACLE_ROUNDS makes it longer.

import { expect } from 'chai';
import { createPublicClient, getAddress, type Hex, http, type PublicClient } from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';
import { type LocalApiServer, startApiServer } from '../../server/local/apiServer.ts';
import { localRpc } from '../../server/local/localRpc.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { type Actor, type Actors, actorsOn, commitmentOf } from '../actors/actors.ts';
import { type Clock, clockOf } from '../actors/clock.ts';
import { type SignedAnswer, signerOf } from '../actors/signedRequest.ts';
import { ownStack } from '../localStack.ts';
import { type OracleBounty, replay } from './oracle.ts';
import { randomOf } from './randomOf.ts';

const SEED = Number(process.env.ORACLE_SEED ?? 20_261_121);
const ROUNDS = Number(process.env.ORACLE_ROUNDS ?? 80);
const QUESTIONS = 12;
/** `finalized` trails by two: a reorg of this depth stays above it. */
const DEEPEST_REORG = 2;

describe(`the server against the raw logs (seed ${SEED})`, function () {
  this.timeout(ROUNDS * 10_000 + 60_000);
  let stack: LocalStack;
  let actors: Actors;
  let clock: Clock;
  let server: LocalApiServer;
  let client: PublicClient;
  let people: readonly Pick<Actor, 'private_key' | 'address'>[];
  const random = randomOf(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const known: { bounties: bigint[]; commitments: Hex[] } = { bounties: [], commitments: [] };
  const asked = new Map<string, number>();
  const count = (what: string): void => void asked.set(what, (asked.get(what) ?? 0) + 1);

  before(async () => {
    stack = await ownStack();
    actors = actorsOn(stack);
    clock = clockOf(stack);
    client = createPublicClient({ transport: http(stack.rpcUrl), cacheTime: 0 });
    server = await startApiServer(stack.serverEnvironment({ RATE_PER_ADDRESS: '0', RATE_PER_SIGNER: '0' }), {
      watch: stack.watch,
    });
    people = [actors.poster, ...actors.solvers, ...actors.guardians, actors.stranger];
    await create();
    await clock.finalizeFor(server.url);
  });
  after(async () => {
    await server?.stop();
    await stack?.stop();
  });

  const create = async (): Promise<void> => {
    const by = pick([actors.poster, actors.solvers[2]!]);
    const { bountyId } = await actors.createBounty({ specCommitment: commitmentOf(`spec ${random()}`) }, by);
    known.bounties.push(bountyId);
  };
  const publishRoster = async (): Promise<void> => {
    const chosen = stack.accounts.guardians.filter(() => random() < 0.6);
    const members = (chosen.length > 0 ? chosen : stack.accounts.guardians).map((guardian) => ({
      account: guardian.address,
      name: guardian.name,
      encryptionPublicKey: guardian.encryption_public_key,
    }));
    const { account } = actors.owner;
    const roster = { address: stack.hubAddress, abi: hubAbi, functionName: 'publishRoster' } as const;
    await actors.client.writeContractSync({ ...roster, args: [members], account });
  };
  const submit = async (): Promise<void> => {
    const commitment = commitmentOf(`work ${random()}`);
    known.commitments.push(commitment);
    await actors.submit(pick(actors.solvers), pick(known.bounties), commitment);
  };
  const reorg = async (): Promise<void> => {
    const depth = 1 + Math.floor(random() * DEEPEST_REORG);
    await localRpc(stack.rpcUrl).call('anvil_reorg', [depth, []]);
    count(`reorg ${depth}`);
  };
  /** What the chain refuses (a bounty that a reorg dropped, say) is life too. */
  const live = async (): Promise<void> => {
    const action = pick([
      create,
      create,
      publishRoster,
      submit,
      submit,
      submit,
      () => clock.mine(),
      () => clock.mine(3),
      reorg,
    ]);
    await action().catch(() => count('refused by the chain'));
  };

  /** A public read: equal to the replay at the very block that it names. */
  const readBounty = async (): Promise<void> => {
    const id = String(pick(known.bounties));
    const finalBefore = await finalizedNow();
    const response = await fetch(`${server.url}/api/bounties/${id}`);
    // biome-ignore lint/suspicious/noExplicitAny: answers and errors have shapes of their own.
    const body = (await response.json()) as any;
    count(`read ${response.status}`);
    if (response.status === 503) return;
    if (response.status === 404) return expectUnknown(id, finalBefore);
    expect(response.status, JSON.stringify(body)).to.equal(200);
    const { block_number: number, block_hash: hash } = body.as_of;
    expect((await client.getBlock({ blockNumber: BigInt(number) })).hash).to.equal(hash);
    const expected = (await replay(client, stack.hubAddress, BigInt(number))).get(id);
    expect(shownOf(body.bounty)).to.deep.equal(expected && stated(expected));
  };

  const shownOf = (bounty: {
    poster: Hex;
    status: string;
    winner: Hex | null;
    spec_commitment: Hex;
    guardian_roster: { account: Hex }[];
    submissions: { solver: Hex; submission_commitment: Hex }[];
  }) => ({
    poster: bounty.poster,
    status: bounty.status,
    winner: bounty.winner,
    spec: bounty.spec_commitment,
    guardians: bounty.guardian_roster.map(({ account }) => account),
    submissions: Object.fromEntries(bounty.submissions.map((one) => [one.solver, one.submission_commitment])),
  });
  const stated = (bounty: OracleBounty) => ({
    poster: getAddress(bounty.poster),
    status: bounty.status,
    winner: bounty.winner === null ? null : getAddress(bounty.winner),
    spec: bounty.specCommitment,
    guardians: bounty.guardians.map((account) => getAddress(account)),
    submissions: Object.fromEntries([...bounty.submissions].map(([solver, of]) => [getAddress(solver), of])),
  });

  const finalizedNow = async (): Promise<bigint> => (await client.getBlock({ blockTag: 'finalized' })).number;

  /** Nothing that was final before the question was asked is unknown. */
  const expectUnknown = async (id: string, finalBefore: bigint): Promise<void> => {
    expect((await replay(client, stack.hubAddress, finalBefore)).has(id), `bounty ${id} is 404`).to.equal(
      false,
    );
  };

  /** A signed request: allowed exactly for those whom the replay allows. */
  const act = async (): Promise<void> => {
    const person = pick(people);
    const id = String(pick(known.bounties));
    const commitment =
      known.commitments.length > 0 && random() < 0.8 ? pick(known.commitments) : commitmentOf('none');
    const base = `/api/bounties/${id}`;
    const request = pick(['content', 'wrap', 'retrieve'] as const);
    const finalBefore = await finalizedNow();
    const signer = signerOf(stack, server.url);
    const answer: SignedAnswer = await (request === 'content'
      ? signer.send(person, { method: 'GET', target: `${base}/submissions/${commitment}/content` })
      : signer.send(person, { method: 'POST', target: `${base}/delivery/${request}`, body: {} }));
    const { status } = answer;
    count(`${request} ${status}`);
    if (status === 503 || status === 401) return;
    const after = await replay(client, stack.hubAddress, await finalizedNow());
    const bounty = after.get(id);
    if (status === 404 && answer.body.error.code === 'bounty_not_found')
      return expectUnknown(id, finalBefore);
    expect(bounty, `${request} of bounty ${id} is ${status}, and the logs do not have it`).to.not.equal(
      undefined,
    );
    const isGuardian = bounty!.guardians.some((account) => getAddress(account) === person.address);
    const isPoster = getAddress(bounty!.poster) === person.address;
    const isAllowed = { content: isPoster || isGuardian, wrap: isGuardian, retrieve: isPoster }[request];
    const where = `${request} by ${person.address} on bounty ${id}: ${status} ${JSON.stringify(answer.body)}`;
    expect(status === 403, where).to.equal(!isAllowed);
  };

  it(`says the same over ${ROUNDS} rounds, or that it cannot say`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await live();
      if (random() < 0.3) await clock.finalizeFor(server.url);
      await Promise.all(Array.from({ length: QUESTIONS }, () => (random() < 0.4 ? readBounty() : act())));
    }
    await clock.finalizeFor(server.url);
    const told = JSON.stringify([...asked].sort());
    console.log(`      ${told}`);
    for (const reached of [
      'read 200',
      'content 403',
      'wrap 403',
      'retrieve 403',
      'wrap 400',
      'retrieve 400',
      'content 404',
    ])
      expect(asked.get(reached) ?? 0, told).to.be.greaterThan(0);
    const outages = [...asked]
      .filter(([what]) => what.endsWith('503'))
      .reduce((sum, [, times]) => sum + times, 0);
    expect(outages, told).to.be.lessThan((ROUNDS * QUESTIONS) / 2);
  });
});
