// A Guardian's way back from a recorded commitment to the package (specification section 1): the envelope hashes to the
// commitment, everything it states is held against the user's own view of the chain, the time lock opens with a verified
// beacon, and the Guardian's own wrap gives the content key. Trusts neither the API nor the Solver.

import { type Address, type Hex, isAddressEqual } from 'viem';
import { ciphertextBytesFor } from '../protocol/ageSize.ts';
import { decodeBase64Url, encodeBase64Url } from '../protocol/base64Url.ts';
import { type Envelope, envelopeContextIssues } from '../protocol/envelope.ts';
import type { Issue } from '../protocol/errors.ts';
import { parseKeyBag } from '../protocol/keyBag.ts';
import { keyBagLockIssues } from '../protocol/keyBagLock.ts';
import { guardianBinding, openKey } from '../protocol/keyWrap.ts';
import { LIMITS } from '../protocol/limits.ts';
import { x25519PublicKey } from '../protocol/x25519KeyPair.ts';
import type { ServiceClient } from './client.ts';
import type { ClientDeployment } from './clientDeployment.ts';
import { decryptPackage } from './decryptPackage.ts';
import type { BeaconOptions } from './drandBeacon.ts';
import type { ReadSubmission } from './resources/submissions.ts';
import type { SealingFacts } from './sealingFacts.ts';
import { unlock } from './timeLock.ts';
import { TimeLockError } from './timeLockError.ts';
import type { TransferOptions } from './transfer.ts';
import { UnopenableSubmissionError } from './unopenable.ts';

/** Which Submission, and who opens it. */
export interface Opening {
  readonly bountyId: bigint;
  readonly submissionCommitment: Hex;
  /** The Guardian's account on the pinned roster. */
  readonly account: Address;
  /** The 32-byte X25519 key that belongs to the roster's `encryption_public_key`. */
  readonly privateKey: Uint8Array<ArrayBuffer>;
}

/** An opened Submission. */
export interface OpenedSubmission {
  readonly submission: ReadSubmission;
  /** 32 bytes, needed once more to hand the winning work over; the caller zeroes them. */
  readonly contentKey: Uint8Array<ArrayBuffer>;
  /** Whether it still is its Solver's active Submission by the user's own RPC. */
  readonly isActive: boolean;
  /** True when the lock opened although the chain's clock had not reached the deadline: others could read it in time. */
  readonly openedBeforeDeadline: boolean;
  /** The packed folder (tar.gz) as it comes, verified; may be taken more than once while `contentKey` is not zeroed. */
  read(options?: TransferOptions): AsyncGenerator<Uint8Array>;
}

/** How it is opened. */
export type OpenOptions = TransferOptions & Pick<BeaconOptions, 'drandUrls' | 'fetch'>;

/**
 * Open a Submission, as the pinned Guardian who signs.
 *
 * @throws TimeLockError before the round is published or when no relay answers; UnopenableSubmissionError for what the
 *   Solver sealed wrongly; UntrustedAnswerError, ApiError, HubError; TypeError for an account or key that is not on the
 *   pinned roster
 */
export async function openSubmission(
  client: Pick<ServiceClient, 'deployment' | 'hub' | 'sealingFacts' | 'submissions'>,
  opening: Opening,
  options: OpenOptions = {},
): Promise<OpenedSubmission> {
  const { bountyId, submissionCommitment } = opening;
  const facts = await client.sealingFacts(bountyId);
  requireRecipient(facts, opening);
  const submission = await client.submissions.content(bountyId, submissionCommitment, options);
  const { envelope } = submission;
  const solver = envelope.context.solver_address;
  requireSound(envelope, client.deployment, facts);
  const contentKey = await unwrap(envelope, client.deployment, opening, options);
  const active = await client.hub.submissionOf(bountyId, solver, facts.at.number);
  return {
    submission,
    contentKey,
    isActive: active?.toLowerCase() === submissionCommitment.toLowerCase(),
    openedBeforeDeadline: facts.at.timestamp < facts.bounty.submissionDeadline,
    read: (transfer = options) =>
      decryptPackage(client.submissions.stream(submission.answer.ciphertext, transfer), contentKey.slice()),
  };
}

function requireRecipient({ roster, bounty }: SealingFacts, { account, privateKey }: Opening): void {
  const guardian = roster.find((member) => isAddressEqual(member.account, account));
  if (guardian === undefined)
    throw new TypeError(`${account} is not on the pinned roster of bounty ${bounty.bountyId}.`);
  if (guardian.encryptionPublicKey !== encodeBase64Url(x25519PublicKey(privateKey)))
    throw new TypeError(`The private key is not the one of ${account} on the pinned roster.`);
}

function requireSound(
  envelope: Envelope,
  { chainId, hubAddress, drand }: ClientDeployment,
  facts: SealingFacts,
): void {
  const issues = [
    ...envelopeContextIssues(envelope, {
      chainId,
      hubAddress,
      solverAddress: envelope.context.solver_address,
      ...facts.bounty,
      recipientsCommitment: facts.recipientsCommitment,
      drand,
      maxCiphertextBytes: ciphertextBytesFor(LIMITS.packedBytes),
    }),
    ...keyBagLockIssues(envelope),
  ];
  if (issues.length > 0) throw new UnopenableSubmissionError(issues);
}

async function unwrap(
  envelope: Envelope,
  { drand }: ClientDeployment,
  { account, privateKey }: Opening,
  options: OpenOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { key_bag: bag, reveal_policy: policy, bundle, context } = envelope;
  const file = decodeBase64Url(bag.ciphertext)!;
  const bytes = await unlock(file, { network: drand, round: policy.round }, options).catch(
    (error: unknown) => {
      if (error instanceof TimeLockError && error.reason === 'wrong_lock')
        throw unopenable('/key_bag/ciphertext', error.message);
      throw error;
    },
  );
  const parsed = parseKeyBag(bytes);
  if ('issues' in parsed) throw new UnopenableSubmissionError(parsed.issues);
  const entry = parsed.entries.find((one) => one.account === account.toLowerCase());
  if (entry === undefined) throw unopenable('/key_bag', `The key bag has no wrap for ${account}.`);
  const bound = guardianBinding(context, bundle.ciphertext_sha256, account);
  const key = await openKey(entry.wrapped_key, privateKey, bound);
  if (key === undefined) throw unopenable('/key_bag', `The wrap for ${account} does not open.`);
  return key;
}

function unopenable(path: string, message: string): UnopenableSubmissionError {
  const issue: Issue = { path, message };
  return new UnopenableSubmissionError([issue]);
}
