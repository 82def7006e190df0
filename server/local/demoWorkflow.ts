// The specification's whole workflow, steps 1 to 8, played with the CLI's own commands: challenge, escrow, sealed work,
// judgement, settlement, verification and delivery. Throws as soon as anything is not as it should be.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { canonicalJson } from '../protocol/canonicalJson.ts';
import { netRewardAmount } from '../protocol/payout.ts';
import { recomputeRecord } from '../sdk/verifyRecord.ts';
import { DEMO_DEADLINES, DEMO_ESCROW, demoChallenge } from './demoChallenge.ts';
import { digestsOf, writeWork } from './demoFolders.ts';
import type { DemoPeople, DemoPerson, DemoResult } from './demoPeople.ts';
import { demoVerdict } from './demoVerdict.ts';
import { LOCAL_FEE_BPS } from './hub.ts';
import { localRpc } from './localRpc.ts';
import type { LocalStack } from './stack.ts';

/** What the demo tells of one step. */
export interface DemoStep {
  readonly step: number;
  readonly what: string;
  readonly transactions: readonly Hex[];
}

/** Where it is played, and who hears of it. */
export interface DemoStage {
  readonly stack: LocalStack;
  readonly apiUrl: string;
  readonly people: DemoPeople;
  /** A folder that nobody else uses. */
  readonly folder: string;
  readonly tell: (step: DemoStep) => void;
}

/** How it ended. */
export interface DemoOutcome {
  readonly bountyId: string;
  readonly winner: Hex;
  readonly claimed: string;
  readonly recordCommitment: Hex;
  readonly files: number;
}

const FINALITY_BLOCKS = 2;

interface Recorded {
  readonly solver: DemoPerson;
  readonly folder: string;
  readonly commitment: Hex;
}

/** Play it. @throws When anything is not as it should be */
export async function playWorkflow({ stack, apiUrl, people, folder, tell }: DemoStage): Promise<DemoOutcome> {
  const { chainId, hubAddress, tokenAddress } = stack;
  const { poster, solvers, guardians } = people;
  const chain = chainClock(stack, apiUrl);
  const told = (step: number, what: string, ...results: DemoResult[]): void =>
    tell({ step, what, transactions: results.flatMap(({ transactions }) => transactions ?? []) });

  const began = await chain.now();
  const file = join(folder, 'bounty_challenge.md');
  await writeFile(file, demoChallenge(stack, began));
  const funded = await poster.type('publish', file);
  await chain.finalize();
  const { bounty_id: bountyId, spec_commitment: specCommitment } = funded;
  told(1, `The challenge passed the review and is stored under ${specCommitment}`);
  told(
    2,
    `The Poster funded bounty ${bountyId} with ${DEMO_ESCROW} units; roster and fee are pinned`,
    funded,
  );

  const recorded: Recorded[] = [];
  const submissions: DemoResult[] = [];
  for (const [index, solver] of solvers.entries()) {
    const work = join(folder, `work-${index + 1}`);
    await writeWork(work, index);
    const result = await solver.type('submit', bountyId, work);
    submissions.push(result);
    recorded.push({ solver, folder: work, commitment: result.submission_commitment });
  }
  await chain.finalize();
  told(
    3,
    `${recorded.length} Solvers sealed their folders, uploaded them and recorded commitments`,
    ...submissions,
  );

  await chain.warp(began + DEMO_DEADLINES.submission + stack.drand.period);
  for (const [index, guardian] of guardians.entries())
    for (const [place, { commitment, folder: work }] of recorded.entries()) {
      const out = join(folder, `guardian-${index + 1}-opened-${place + 1}`);
      await guardian.type(
        'open',
        bountyId,
        commitment,
        '--encryption-key',
        guardian.encryptionKeyFile,
        '--out',
        out,
      );
      await requireSame(out, work, 'A Guardian opened another folder.');
    }
  told(4, `The deadline passed and the time lock opened: ${guardians.length} Guardians read every folder`);

  const winning = recorded[1]!;
  const amount = netRewardAmount(DEMO_ESCROW, LOCAL_FEE_BPS);
  const verdicts: DemoResult[] = [];
  for (const [index, guardian] of guardians.entries()) {
    // Four agree and one does not: two thirds of five are four.
    const dissents = index === guardians.length - 1;
    const document = demoVerdict({
      chainId,
      hubAddress,
      bountyId: BigInt(bountyId),
      specCommitment: specCommitment as Hex,
      guardian,
      award: dissents
        ? null
        : { winner: winning.solver.address, submissionCommitment: winning.commitment, tokenAddress, amount },
      reviewed: recorded.map(({ solver, commitment }) => ({
        solver: solver.address,
        submissionCommitment: commitment,
      })),
      issuedAt: await chain.now(),
    });
    const path = join(folder, `verdict-${index + 1}.md`);
    await writeFile(path, document);
    verdicts.push(await guardian.type('verdict', path));
  }
  told(
    5,
    `${guardians.length - 1} Guardians recorded the same award in written Verdicts, one dissented`,
    ...verdicts,
  );

  const settled = await poster.type('settle', bountyId);
  const claimed = await winning.solver.type('claim', tokenAddress);
  if (claimed.amount !== String(amount))
    throw new Error(`The winner was due ${amount} and got ${claimed.amount}.`);
  told(6, `The Hub counted and settled; the winner claimed ${claimed.amount} units`, settled, claimed);

  await chain.finalize();
  const record = await recordOf(stack, apiUrl, bountyId);
  told(7, `The VerificationRecord ${record} was recomputed from logs and IPFS, byte for byte`);

  const [guardian] = guardians;
  await guardian!.type('wrap', bountyId, winning.commitment, '--encryption-key', guardian!.encryptionKeyFile);
  const received = join(folder, 'received');
  await poster.type('retrieve', bountyId, '--out', received);
  const files = await requireSame(received, winning.folder, 'The Poster received another folder.');
  told(8, `The Poster received the winning folder: ${files} files, byte for byte`);
  return {
    bountyId,
    winner: winning.solver.address,
    claimed: claimed.amount,
    recordCommitment: record,
    files,
  };
}

/** The local chain's clock in the demo's hands; each move waits until the API answers from what is final then. */
function chainClock(stack: LocalStack, apiUrl: string) {
  const { call, latestTimestamp } = localRpc(stack.rpcUrl);
  const finalize = async (): Promise<void> => {
    await call('anvil_mine', [`0x${FINALITY_BLOCKS.toString(16)}`]);
    await untilServed(apiUrl, Number(await call('eth_blockNumber', [])) - FINALITY_BLOCKS);
  };
  return {
    now: latestTimestamp,
    finalize,
    async warp(timestamp: number): Promise<void> {
      await call('evm_setNextBlockTimestamp', [timestamp]);
      await call('anvil_mine', ['0x1']);
      await finalize();
    },
  };
}

async function untilServed(apiUrl: string, block: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = (await (await fetch(`${apiUrl}/api/bounties?limit=1`)).json()) as {
      as_of?: { block_number: number };
    };
    if (answer.as_of !== undefined && answer.as_of.block_number >= block) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The API did not reach block ${block}.`);
}

/** The record's commitment, once the API's record and the one of logs and IPFS are the same bytes. */
async function recordOf(
  { rpcUrl, ipfsUrl, hubAddress }: LocalStack,
  apiUrl: string,
  bountyId: string,
): Promise<Hex> {
  const answer = await (await fetch(`${apiUrl}/api/bounties/${bountyId}`)).json();
  const { verification_record: served } = answer as { verification_record?: object };
  const own = await recomputeRecord({ rpcUrl, ipfsUrl, hubAddress, bountyId: BigInt(bountyId) });
  if ('unavailable' in own) throw new Error(own.unavailable);
  if (served === undefined || canonicalJson(served) !== canonicalJson(own.record))
    throw new Error('The record of the API is not the one that logs and IPFS give.');
  return own.record.record_commitment;
}

async function requireSame(one: string, other: string, message: string): Promise<number> {
  const [digests, expected] = await Promise.all([digestsOf(one), digestsOf(other)]);
  if (canonicalJson(digests) !== canonicalJson(expected)) throw new Error(message);
  return Object.keys(digests).length;
}
