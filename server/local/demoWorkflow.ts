// The specification's whole workflow, steps 1 to 8, played with the SDK alone: challenge, escrow, sealed work, judgement,
// settlement, verification and delivery. Throws as soon as anything is not as it should be.

import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import type { Hex } from 'viem';
import { decodeBase64Url } from '../protocol/base64Url.ts';
import { canonicalJson } from '../protocol/canonicalJson.ts';
import { claimCall, settleCall } from '../protocol/hubCalls.ts';
import { netRewardAmount } from '../protocol/payout.ts';
import type { PreparedCall } from '../protocol/preparedCall.ts';
import { fileSink } from '../sdk/node/fileSink.ts';
import { packFolder } from '../sdk/node/packFolder.ts';
import { unpackFolder } from '../sdk/node/unpackFolder.ts';
import { openSubmission } from '../sdk/open.ts';
import { receiveWork } from '../sdk/receiveWork.ts';
import { seal } from '../sdk/seal.ts';
import { recomputeRecord } from '../sdk/verifyRecord.ts';
import { wrapForDelivery } from '../sdk/wrapForDelivery.ts';
import { demoChallenge } from './demoChallenge.ts';
import { digestsOf, writeWork } from './demoFolders.ts';
import type { DemoPeople, DemoPerson } from './demoPeople.ts';
import { demoVerdict } from './demoVerdict.ts';
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
  readonly people: DemoPeople;
  /** An empty folder. */
  readonly folder: string;
  readonly tell: (step: DemoStep) => void;
}

/** How it ended. */
export interface DemoOutcome {
  readonly bountyId: bigint;
  readonly winner: Hex;
  readonly claimed: bigint;
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
export async function playWorkflow(stage: DemoStage): Promise<DemoOutcome> {
  const { stack, people } = stage;
  const { chainId, hubAddress, tokenAddress } = stack;
  const { poster, solvers, guardians } = people;
  const chain = localRpc(stack.rpcUrl);
  const transactions: Hex[] = [];
  const onSent = (hash: Hex): void => void transactions.push(hash);
  const tell = (step: number, what: string): void =>
    stage.tell({ step, what, transactions: transactions.splice(0) });
  const send = (by: DemoPerson, call: PreparedCall) =>
    by.client.send({ chainId, from: by.address, calls: [call] }, { wallet: by.wallet, onSent });
  const finalize = async (): Promise<void> => {
    await chain.call('anvil_mine', [`0x${FINALITY_BLOCKS.toString(16)}`]);
    await untilServed(poster, Number(await chain.call('eth_blockNumber', [])) - FINALITY_BLOCKS);
  };
  const warp = async (timestamp: number): Promise<void> => {
    await chain.call('evm_setNextBlockTimestamp', [timestamp]);
    await chain.call('anvil_mine', ['0x1']);
    await finalize();
  };

  const challenge = new TextEncoder().encode(demoChallenge(stack, await chain.latestTimestamp()));
  const publication = await poster.client.publication.prepare(Uint8Array.from(challenge));
  tell(1, `The Poster's challenge passed the review and is stored under ${publication.terms.specCommitment}`);
  const { bountyId } = await poster.client.fund(publication, { wallet: poster.wallet, onSent });
  await finalize();
  tell(
    2,
    `The Poster funded bounty ${bountyId} with ${publication.terms.amount} units, roster and fee pinned`,
  );

  const recorded: Recorded[] = [];
  for (const [index, solver] of solvers.entries())
    recorded.push(await submit(solver, bountyId, join(stage.folder, `solver-${index + 1}`), index, onSent));
  await finalize();
  tell(3, `${recorded.length} Solvers sealed their folders, uploaded them and recorded the commitments`);

  const { bounty } = await poster.client.sealingFacts(bountyId);
  await warp(bounty.submissionDeadline + stack.drand.period);
  const winning = recorded[1]!;
  const opened = [];
  for (const guardian of guardians) {
    for (const { commitment, folder } of recorded) {
      const one = await openAs(stack, guardian, bountyId, commitment);
      const target = join(stage.folder, `${guardian.name}-${commitment.slice(2, 10)}`);
      await unpackFolder(one.read(), target);
      requireSame(await digestsOf(target), await digestsOf(folder), 'A Guardian opened another folder.');
      if (commitment === winning.commitment) opened.push(one);
      else one.contentKey.fill(0);
    }
  }
  tell(4, `The deadline passed and the time lock opened: ${guardians.length} Guardians read every folder`);

  const amount = netRewardAmount(bounty.amount, bounty.feeBps);
  const issuedAt = await chain.latestTimestamp();
  for (const [index, guardian] of guardians.entries()) {
    // Four agree and one does not: two thirds of five are four.
    const dissents = index === guardians.length - 1;
    const document = demoVerdict({
      chainId,
      hubAddress,
      bountyId,
      specCommitment: bounty.specCommitment,
      guardian,
      award: dissents
        ? null
        : { winner: winning.solver.address, submissionCommitment: winning.commitment, tokenAddress, amount },
      reviewed: recorded.map(({ solver, commitment }) => ({
        solver: solver.address,
        submissionCommitment: commitment,
      })),
      issuedAt,
    });
    const { calls } = await guardian.client.verdicts.publish(document);
    await guardian.client.send(calls, { wallet: guardian.wallet, onSent });
  }
  tell(5, `${guardians.length - 1} Guardians recorded the same award in written Verdicts, one dissented`);

  await send(poster, settleCall(hubAddress, bountyId));
  const claimed = await winning.solver.client.hub.queuedBalance(winning.solver.address, tokenAddress);
  if (claimed !== amount) throw new Error(`The winner was due ${amount} and ${claimed} is queued.`);
  await send(winning.solver, claimCall(hubAddress, tokenAddress, winning.solver.address));
  tell(6, `The Hub counted and settled; the winner ${winning.solver.address} claimed ${claimed} units`);

  await finalize();
  const { verification_record: answer } = await poster.client.bounties.get(bountyId);
  const own = await recomputeRecord({ rpcUrl: stack.rpcUrl, ipfsUrl: stack.ipfsUrl, hubAddress, bountyId });
  if ('unavailable' in own) throw new Error(own.unavailable);
  if (answer === undefined || canonicalJson(answer) !== canonicalJson(own.record))
    throw new Error('The record of the API is not the one that logs and IPFS give.');
  tell(
    7,
    `The VerificationRecord ${own.record.record_commitment} was recomputed from logs and IPFS, byte for byte`,
  );

  const [first] = opened;
  await wrapForDelivery(guardians[0]!.client, bountyId, first!.submission, first!.contentKey);
  for (const { contentKey } of opened) contentKey.fill(0);
  const received = await receiveWork(poster.client, bountyId);
  const target = join(stage.folder, 'received');
  await unpackFolder(received.package, target);
  const files = await digestsOf(target);
  requireSame(files, await digestsOf(winning.folder), 'The Poster received another folder.');
  tell(8, `The Poster received the winning folder: ${Object.keys(files).length} files, byte for byte`);
  return {
    bountyId,
    winner: winning.solver.address,
    claimed,
    recordCommitment: own.record.record_commitment,
    files: Object.keys(files).length,
  };
}

async function submit(
  solver: DemoPerson,
  bountyId: bigint,
  folder: string,
  index: number,
  onSent: (hash: Hex) => void,
): Promise<Recorded> {
  const { client, wallet, address } = solver;
  await writeWork(folder, index);
  const archive = `${folder}.tar.gz`;
  await packFolder(folder, archive);
  const sink = await fileSink(`${folder}.age`);
  const facts = await client.sealingFacts(bountyId);
  const { deployment } = client;
  const sealed = await seal({
    deployment,
    facts,
    solverAddress: address,
    package: await openAsBlob(archive),
    sink,
  });
  await client.submissions.upload(bountyId, sealed.ciphertext);
  const { calls } = await client.submissions.prepare(bountyId, sealed.envelopeBytes);
  await client.send(calls, { wallet, onSent });
  await sink.discard();
  return { solver, folder, commitment: sealed.submissionCommitment };
}

function openAs(
  stack: LocalStack,
  guardian: DemoPeople['guardians'][number],
  bountyId: bigint,
  commitment: Hex,
) {
  const privateKey = decodeBase64Url(guardian.encryption_private_key) as Uint8Array<ArrayBuffer>;
  const opening = { bountyId, submissionCommitment: commitment, account: guardian.address, privateKey };
  return openSubmission(guardian.client, opening, { drandUrls: [stack.drand.url] });
}

/** Waits until the API answers from a finalized block or a later one. */
async function untilServed({ client }: DemoPerson, block: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const { as_of } = await client.bounties.page({ limit: 1 });
    if (as_of.block_number >= block) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The API did not reach block ${block}.`);
}

function requireSame(one: Record<string, string>, other: Record<string, string>, message: string): void {
  if (canonicalJson(one) !== canonicalJson(other)) throw new Error(message);
}
