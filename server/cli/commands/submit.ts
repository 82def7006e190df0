// `service-cli submit <bounty_id> <folder>`: a Solver packs and seals a folder, uploads it and records the commitment.

import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { readChallenge } from '../../sdk/challengeWarnings.ts';
import { fileSink } from '../../sdk/node/fileSink.ts';
import { packFolder } from '../../sdk/node/packFolder.ts';
import { seal } from '../../sdk/seal.ts';
import {
  bountyIdOf,
  type DeploymentOptions,
  type WalletOptions,
  withDeployment,
  withWallet,
} from '../options.ts';
import { progressBar } from '../progress.ts';
import { type SigningSession, signing } from '../session.ts';
import type { Terminal } from '../terminal.ts';

/** The command. */
export function submitCommand(terminal: Terminal): Command {
  return withWallet(withDeployment(new Command('submit')))
    .description(
      'Seal a folder for the pinned Guardians, upload it, and record its commitment from your wallet.',
    )
    .argument('<bounty_id>', 'decimal')
    .argument('<folder>', 'what to submit')
    .addHelpText(
      'after',
      '\nExample:\n  service-cli submit 7 ./result --deployment staging --key-file solver.key',
    )
    .action(async (id: string, folder: string, options: DeploymentOptions & WalletOptions) => {
      const bountyId = bountyIdOf(id);
      const session = await signing(options, terminal, { sends: true });
      const scratch = await mkdtemp(join(tmpdir(), 'service-cli-'));
      try {
        const { commitment, transactions } = await submit(session, bountyId, folder, scratch);
        session.show({ bounty_id: id, submission_commitment: commitment, transactions }, [
          `submission_commitment ${commitment}`,
        ]);
      } finally {
        await rm(scratch, { recursive: true, force: true });
      }
    });
}

async function submit(
  { client, destination, terminal, account, sending, say }: SigningSession,
  bountyId: bigint,
  folder: string,
  scratch: string,
) {
  const facts = await client.sealingFacts(bountyId);
  const { challenge } = await client.bounties.get(bountyId);
  const { deployment } = destination;
  const bytes = new TextEncoder().encode(challenge ?? '');
  const { warnings, limits } = readChallenge(bytes, facts.bounty, deployment);
  for (const warning of warnings) say(`warning: ${warning}`);
  const archive = join(scratch, `${randomBytes(4).toString('hex')}.tar.gz`);
  await packFolder(folder, archive, { limits, onProgress: progressBar(terminal, 'packing') });
  const sealed = await seal({
    deployment,
    facts,
    solverAddress: account.address,
    package: await openAsBlob(archive),
    maxPackedBytes: limits?.packedBytes,
    sink: await fileSink(`${archive}.age`),
    onProgress: progressBar(terminal, 'sealing'),
  });
  await client.submissions.upload(bountyId, sealed.ciphertext, {
    onProgress: progressBar(terminal, 'uploading'),
  });
  const prepared = await client.submissions.prepare(bountyId, sealed.envelopeBytes);
  const receipts = await client.send(prepared.calls, sending);
  const transactions = receipts.map(({ transactionHash }) => transactionHash);
  return { commitment: sealed.submissionCommitment, transactions };
}
