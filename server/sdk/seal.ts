// Sealing a Submission (specification sections 1 and 4): the package encrypted to a fresh content key, the key wrapped for
// each pinned Guardian, the wraps time-locked to the deadline, and the envelope that commits to all of it. What it is
// sealed for was read from the chain by the caller's own RPC; nothing of the API enters. The key is gone afterwards.

import type { Address, Hex } from 'viem';
import { ciphertextLocator } from '../protocol/address.ts';
import { ciphertextBytesFor } from '../protocol/ageSize.ts';
import { encodeBase64Url } from '../protocol/base64Url.ts';
import { canonicalBytes } from '../protocol/canonicalJson.ts';
import { commitmentOf } from '../protocol/commitment.ts';
import { type Envelope, envelopeContextIssues, parseEnvelope } from '../protocol/envelope.ts';
import { keyBagBytes } from '../protocol/keyBag.ts';
import { keyBagLockIssues } from '../protocol/keyBagLock.ts';
import { CONTENT_KEY_BYTES, guardianBinding, wrapKey } from '../protocol/keyWrap.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Guardian } from '../protocol/roster.ts';
import { sha256Hex } from '../protocol/sha256Hex.ts';
import { type SubmissionContext, submissionContext } from '../protocol/submissionContext.ts';
import { readX25519PublicKey } from '../protocol/x25519Key.ts';
import type { ClientDeployment } from './clientDeployment.ts';
import { type EncryptedPackage, type EncryptOptions, encryptPackage } from './encryptPackage.ts';
import { SealError } from './sealError.ts';
import { memorySink } from './sealedSink.ts';
import type { SealingFacts } from './sealingFacts.ts';
import { lockToRound } from './timeLock.ts';

/** What is sealed, and for what. */
export interface Sealing extends Partial<EncryptOptions> {
  /** Hub and drand chain, from the deployment table. */
  readonly deployment: ClientDeployment;
  /** The bounty and its roster, read through the user's own RPC. */
  readonly facts: SealingFacts;
  readonly solverAddress: Address;
  /** The packed folder (tar.gz). */
  readonly package: Blob;
  /** The challenge's own limit in bytes where it states a smaller one; default the service's. */
  readonly maxPackedBytes?: number | undefined;
}

/** What goes to the service, and the commitment that goes on chain. */
export interface SealedSubmission {
  readonly ciphertext: Blob;
  readonly envelope: Envelope;
  /** The envelope's exact bytes. */
  readonly envelopeBytes: Uint8Array<ArrayBuffer>;
  readonly submissionCommitment: Hex;
}

/**
 * Seal a package.
 *
 * @throws SealError for a bounty that takes no Submission any more or a package of a wrong size; what the sink throws
 */
export async function seal(sealing: Sealing): Promise<SealedSubmission> {
  requireTimely(sealing.facts);
  requireSize(sealing);
  const contentKey = crypto.getRandomValues(new Uint8Array(CONTENT_KEY_BYTES));
  try {
    const { onProgress, signal, sink = memorySink() } = sealing;
    const encrypted = await encryptPackage(sealing.package, contentKey, { sink, onProgress, signal });
    return await committed(sealing, encrypted, contentKey);
  } finally {
    contentKey.fill(0);
  }
}

async function committed(
  sealing: Sealing,
  { ciphertext, sha256, byteLength }: EncryptedPackage,
  contentKey: Uint8Array<ArrayBuffer>,
): Promise<SealedSubmission> {
  const { deployment, facts, solverAddress } = sealing;
  const { bounty, roster, recipientsCommitment, round } = facts;
  const { chainId, hubAddress, drand } = deployment;
  const place = { chainId, hubAddress, solverAddress, ...bounty };
  const context = submissionContext(place);
  const wraps = roster.map((guardian) => wrapFor(guardian, context, sha256, contentKey));
  const bag = await lockToRound(keyBagBytes(await Promise.all(wraps)), { network: drand, round });
  const envelope: Envelope = {
    schema: 'submission-envelope/v0',
    context,
    bundle: { ciphertext_sha256: sha256, ciphertext_byte_length: byteLength, encryption: 'age-x25519' },
    recipients: {
      guardian_roster_hash: bounty.guardianRosterHash.toLowerCase() as Hex,
      recipients_commitment: recipientsCommitment,
    },
    reveal_policy: {
      type: 'drand-timelock',
      chain_hash: drand.chainHash,
      round,
      not_before: bounty.submissionDeadline,
    },
    key_bag: { ciphertext: encodeBase64Url(bag), sha256: sha256Hex(bag) },
    storage: { locator: ciphertextLocator(sha256) },
  };
  const envelopeBytes = canonicalBytes(envelope);
  requireWhole(envelopeBytes, { ...place, recipientsCommitment, drand, ...largest(sealing) });
  return { ciphertext, envelope, envelopeBytes, submissionCommitment: commitmentOf(envelopeBytes) };
}

async function wrapFor(
  { account, encryptionPublicKey }: Guardian,
  context: SubmissionContext,
  ciphertextSha256: string,
  contentKey: Uint8Array<ArrayBuffer>,
) {
  const read = readX25519PublicKey(encryptionPublicKey);
  if ('problem' in read) throw new RangeError(`Guardian ${account}: ${read.problem}`);
  const bound = guardianBinding(context, ciphertextSha256, account);
  return { account, wrapped_key: await wrapKey(contentKey, read.key, bound) };
}

/** The checks that the service will make, made before anything is sent. */
function requireWhole(bytes: Uint8Array, place: Parameters<typeof envelopeContextIssues>[1]): void {
  const parsed = parseEnvelope(bytes);
  const issues =
    'issues' in parsed
      ? parsed.issues
      : [...envelopeContextIssues(parsed.envelope, place), ...keyBagLockIssues(parsed.envelope)];
  if (issues.length === 0) return;
  throw new Error(
    `The sealed envelope is not sound: ${issues.map(({ path, message }) => `${path}: ${message}`).join(' ')}`,
  );
}

function requireTimely({ bounty, at }: SealingFacts): void {
  if (bounty.status !== 'open')
    throw new SealError(
      'bounty_not_open',
      `Bounty ${bounty.bountyId} is ${bounty.status}: it takes no Submission.`,
    );
  if (at.timestamp >= bounty.submissionDeadline)
    throw new SealError(
      'deadline_passed',
      `The submission deadline of bounty ${bounty.bountyId} has passed.`,
    );
}

function largest({ maxPackedBytes }: Sealing) {
  const packedBytes = Math.min(LIMITS.packedBytes, maxPackedBytes ?? LIMITS.packedBytes);
  return { packedBytes, maxCiphertextBytes: ciphertextBytesFor(packedBytes) };
}

function requireSize(sealing: Sealing): void {
  const { size } = sealing.package;
  const { packedBytes } = largest(sealing);
  if (size === 0) throw new SealError('package_empty', 'The package is empty.');
  if (size <= packedBytes) return;
  throw new SealError(
    'package_too_large',
    `The package has ${size} bytes; this bounty takes ${packedBytes}.`,
  );
}
