// A Guardian's opening of a Submission, as `open` and `wrap` share it.

import type { Command } from 'commander';
import { decodeBase64Url } from '../protocol/base64Url.ts';
import { type OpenedSubmission, openSubmission } from '../sdk/open.ts';
import { UsageError } from './exitCode.ts';
import { bountyIdOf, bytes32Of, type DeploymentOptions, type WalletOptions } from './options.ts';
import type { SigningSession } from './session.ts';
import { secretIn } from './wallet.ts';

/** Options of both commands. */
export interface OpeningOptions extends DeploymentOptions, WalletOptions {
  readonly encryptionKey: string;
  readonly drandUrl?: string;
}

/** Adds them. */
export function withOpening(command: Command): Command {
  return command
    .argument('<bounty_id>', 'decimal')
    .argument('<submission_commitment>', '32 bytes in hex')
    .requiredOption('--encryption-key <file>', 'your X25519 private key, as keygen guardian made it')
    .option('--drand-url <url>', "a drand relay, instead of the deployment's own");
}

/** Opens it. @throws As {@link openSubmission}, UsageError for a key that is none */
export async function openAs(
  { client, account, destination, say }: SigningSession,
  id: string,
  commitment: string,
  { encryptionKey, drandUrl }: OpeningOptions,
): Promise<OpenedSubmission> {
  const privateKey = decodeBase64Url(await secretIn(encryptionKey));
  if (privateKey?.length !== 32)
    throw new UsageError(`${encryptionKey} holds no X25519 key of 32 bytes in base64url.`);
  try {
    const opened = await openSubmission(
      client,
      {
        bountyId: bountyIdOf(id),
        submissionCommitment: bytes32Of(commitment, 'The submission commitment'),
        account: account.address,
        privateKey: Uint8Array.from(privateKey),
      },
      { drandUrls: drandUrl === undefined ? destination.drandUrls : [drandUrl] },
    );
    if (!opened.isActive) say("warning: this is not its Solver's active Submission any more.");
    if (opened.openedBeforeDeadline)
      say(
        'warning: the time lock is open although the chain has not reached the deadline: others can read it too.',
      );
    return opened;
  } finally {
    privateKey.fill(0);
  }
}
