// `npm run demo`: a stack of its own, and one bounty played on it with real transactions from creation to the winner's
// claim, then read back through the API and GraphQL at the finalized block. Ends with 0 only when both agree.

import { setTimeout as sleep } from 'node:timers/promises';
import { create } from 'ipfs-http-client';
import { getAddress } from 'viem';
import { commitmentOf } from '../protocol/commitment.ts';
import { startApiServer } from './apiServer.ts';
import { type DemoActors, demoActors } from './demoActors.ts';
import { demoChallenge } from './demoChallenge.ts';
import { startStack } from './stack.ts';

const asJson = process.argv.includes('--json');
const began = performance.now();
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

function say(line: string): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5);
  process.stderr.write(`${seconds} s  ${line}\n`);
}

const stack = await startStack({ progress: say });
try {
  const server = await startApiServer(stack.serverEnvironment(), { watch: stack.watch });
  say(`API at ${server.url}`);
  const summary = await play(server.url, demoActors(stack));
  if (asJson) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else say('The API, GraphQL and the Hub agree: the demo is complete.');
} finally {
  await stack.stop();
}

async function play(apiUrl: string, actors: DemoActors) {
  const { poster, solvers, guardians } = actors;
  const now = await actors.now();
  say(`The Hub ${stack.hubAddress} has a roster of ${guardians.length} Guardians`);
  const challenge = text(demoChallenge(stack, now));
  const specCommitment = commitmentOf(challenge);
  await create({ url: stack.ipfsUrl }).block.put(challenge, {
    mhtype: 'keccak-256',
    format: 'raw',
    pin: true,
  });
  say(`The challenge is stored; its commitment is ${specCommitment}`);

  const { bountyId, netAmount, terms } = await actors.createBounty(specCommitment, now);
  say(`Poster ${poster.address} funded bounty ${bountyId} with ${terms.amount} units`);
  const work = solvers.map((_, index) => commitmentOf(text(`work of Solver ${index + 1}`)));
  for (const [index, solver] of solvers.entries()) {
    await actors.submit(solver, bountyId, work[index]!);
    say(`Solver ${solver.address} submitted ${work[index]}`);
  }

  await actors.warpTo(terms.submissionDeadline);
  say('The submission deadline has passed');
  const winner = solvers[1]!;
  for (const [index, guardian] of guardians.entries()) {
    // Four agree, one does not: two thirds of five are four.
    const isDissent = index === guardians.length - 1;
    await actors.judge(guardian, bountyId, isDissent ? null : { winner, commitment: work[1]!, netAmount });
    say(`Guardian ${guardian.name} judged: ${isDissent ? 'refund' : `award to ${winner.address}`}`);
  }
  await actors.settle(bountyId);
  const claimed = await actors.claim(winner);
  say(`Settled; the winner claimed ${claimed} units`);
  if (claimed !== netAmount) throw new Error(`The winner was due ${netAmount} and received ${claimed}.`);

  const answer = await untilAwarded(`${apiUrl}/api/bounties/${bountyId}`, actors);
  const indexed = await readIndex(String(bountyId), answer.as_of.block_number);
  const { bounty } = answer;
  const agrees =
    bounty.winner === indexed.winnerChecksum &&
    bounty.submission_count === solvers.length &&
    answer.challenge === new TextDecoder().decode(challenge) &&
    answer.verification_record?.quorum.matching === indexed.leadingMatching;
  if (!agrees) throw new Error(`API and GraphQL do not agree: ${JSON.stringify({ bounty, indexed })}`);
  say(
    `GET /api/bounties/${bountyId} at block ${answer.as_of.block_number}: ${bounty.status}, winner ${bounty.winner}`,
  );
  return {
    bounty_id: String(bountyId),
    status: bounty.status,
    winner: bounty.winner,
    claimed: String(claimed),
    record_commitment: answer.verification_record?.record_commitment,
    as_of: answer.as_of,
    seconds: Math.round((performance.now() - began) / 100) / 10,
  };
}

interface BountyAnswer {
  readonly bounty: { status: string; winner: string | null; submission_count: number };
  readonly challenge: string | null;
  readonly verification_record?: { record_commitment: string; quorum: { matching: number } };
  readonly as_of: { block_number: number; block_hash: string };
}

/** Mine until the award is final, and read it. */
async function untilAwarded(url: string, actors: DemoActors): Promise<BountyAnswer> {
  await actors.mine(2);
  for (let tries = 0; tries < 100; tries += 1) {
    const response = await fetch(url);
    const body = (await response.json()) as BountyAnswer;
    if (response.status === 200 && body.bounty.status === 'awarded') return body;
    await sleep(100);
  }
  throw new Error('The award did not become final.');
}

/** The same bounty in the read model, pinned to the same block. */
async function readIndex(id: string, block: number) {
  const query = `{ bounty(id: "${id}", block: {number: ${block}}) { status winner leadingMatching } }`;
  const response = await fetch(stack.subgraphUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as {
    data: { bounty: { status: string; winner: `0x${string}`; leadingMatching: number } };
  };
  return { ...data.bounty, winnerChecksum: getAddress(data.bounty.winner) };
}
