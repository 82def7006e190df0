// Random sequences of Verdicts, several in one block, compared with a plain count: what tallies, lead and missing votes
// of the hub subgraph must say after each block.

import { expect } from 'chai';
import fc from 'fast-check';
import type { Hex } from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import { award, matchHash, payout, type Verdict } from '../abis/verdict.ts';
import { actorsOn, commitmentOf } from '../actors/actors.ts';
import { clockOf } from '../actors/clock.ts';
import { inOneBlock } from './oneBlock.ts';
import { ask } from './readModel.ts';

interface Vote {
  readonly guardian: number;
  readonly choice: number;
}

const THRESHOLD = 4;
const CHOICES = 4;

const vote = fc.record({ guardian: fc.nat(4), choice: fc.nat(CHOICES - 1) });
const blocks = fc.array(fc.array(vote, { minLength: 1, maxLength: 8 }), { minLength: 3, maxLength: 5 });

/** Plays `runs` random sequences, each in a bounty of its own; throws with the sequence and its seed. */
export async function checkRandomVerdicts(stack: LocalStack, runs: number): Promise<void> {
  const play = fc.asyncProperty(blocks, (sequence) => playSequence(stack, sequence));
  await fc.assert(play, { numRuns: runs, endOnFailure: true });
}

async function playSequence(stack: LocalStack, sequence: readonly (readonly Vote[])[]): Promise<void> {
  const actors = actorsOn(stack);
  const clock = clockOf(stack);
  const bounty = await actors.createBounty();
  const [first, second] = actors.solvers;
  const work = [commitmentOf('first'), commitmentOf('second')] as const;
  await actors.submit(first!, bounty.bountyId, work[0]);
  await actors.submit(second!, bounty.bountyId, work[1]);
  await clock.warpTo(Number(bounty.submissionDeadline));
  const choices: { readonly verdict: Verdict; readonly payable: boolean }[] = [
    { verdict: actors.awardTo(first!, bounty, work[0]), payable: true },
    { verdict: actors.awardTo(second!, bounty, work[1]), payable: true },
    // One unit short of the net amount: the Hub records it and never settles by it.
    { verdict: award(first!.address, work[0], payout(bounty.token, bounty.netAmount - 1n)), payable: false },
    { verdict: actors.refund, payable: true },
  ];

  const current = new Map<number, { readonly choice: number; readonly report: Hex }>();
  let recorded = 0;
  for (const votes of sequence) {
    const sends = votes.map(({ guardian, choice }) => {
      recorded += 1;
      const report = commitmentOf(`report ${recorded} on ${bounty.bountyId}`);
      current.set(guardian, { choice, report });
      return () =>
        actors.client.writeContract({
          address: stack.hubAddress,
          abi: hubAbi,
          functionName: 'recordVerdict',
          args: [bounty.bountyId, choices[choice]!.verdict, report],
          account: actors.guardians[guardian]!.account,
          gas: 500_000n,
        });
    });
    await inOneBlock(stack, actors.client, sends);
    await clock.indexed();

    const counts = choices.map(
      (_, choice) => [...current.values()].filter((each) => each.choice === choice).length,
    );
    const leading = Math.max(...counts.filter((_, choice) => choices[choice]!.payable));
    const { bounty: row } = await ask(
      stack.subgraphUrl,
      `{ bounty(id: "${bounty.bountyId}") { verdictCount leadingMatching votesMissing matchingHistogram
        tallies { matchHash matching payable verdicts { guardian } }
        verdicts { guardian matchHash reportCommitment } verdictRevisions { id } } }`,
    );
    expect(row).to.deep.include({
      verdictCount: current.size,
      leadingMatching: leading,
      votesMissing: Math.max(0, THRESHOLD - leading),
    });
    expect(row.verdictRevisions).to.have.length(recorded);
    expect(row.verdicts).to.have.deep.members(
      [...current].map(([guardian, { choice, report }]) => ({
        guardian: actors.guardians[guardian]!.address.toLowerCase(),
        matchHash: matchHash(choices[choice]!.verdict),
        reportCommitment: report,
      })),
    );
    const alive = row.tallies.filter((tally: { matching: number }) => tally.matching > 0);
    expect(
      alive.map((tally: { matchHash: string; matching: number; payable: boolean; verdicts: unknown[] }) => [
        tally.matchHash,
        tally.matching,
        tally.verdicts.length,
        tally.payable,
      ]),
    ).to.have.deep.members(
      counts.flatMap((count, choice) => {
        const { verdict, payable } = choices[choice]!;
        return count === 0 ? [] : [[matchHash(verdict), count, count, payable]];
      }),
    );
    row.matchingHistogram.slice(1).forEach((tallies: number, index: number) => {
      const expected = counts.filter((count, choice) => choices[choice]!.payable && count === index + 1);
      expect(tallies, `payable tallies with ${index + 1}`).to.equal(expected.length);
    });
  }
}
