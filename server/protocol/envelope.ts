// The Submission envelope: canonical JSON that a Solver seals (specification sections 1, 2 and 4, prepare). It holds no
// plaintext and no usable key. `key_bag.ciphertext` is the binary age file of the time-locked bag in base64url, and
// `key_bag.sha256` the digest of that binary. Must never be accepted in another than its canonical form.
import type { Hex } from 'viem';
import { ciphertextLocator } from './address.ts';
import { decodeBase64Url } from './base64Url.ts';
import { canonicalBytes, parseCanonical } from './canonicalJson.ts';
import { commitmentOf } from './commitment.ts';
import type { DrandNetwork } from './drandNetwork.ts';
import { type ENVELOPE_SCHEMA_NAME, envelopeSchema } from './envelopeSchema.ts';
import type { Issue } from './errors.ts';
import { LIMITS } from './limits.ts';
import { revealRound } from './reveal.ts';
import { sha256Hex } from './sha256Hex.ts';
import { shapeCheck } from './shapeCheck.ts';
import { contextIssues, type SubmissionContext, type SubmissionPlace } from './submissionContext.ts';

/** An envelope as it is written. */
export interface Envelope {
  readonly schema: typeof ENVELOPE_SCHEMA_NAME;
  readonly context: SubmissionContext;
  readonly bundle: {
    readonly ciphertext_sha256: string;
    readonly ciphertext_byte_length: number;
    readonly encryption: 'age-x25519';
  };
  readonly recipients: { readonly guardian_roster_hash: Hex; readonly recipients_commitment: Hex };
  readonly reveal_policy: {
    readonly type: 'drand-timelock';
    readonly chain_hash: string;
    readonly round: number;
    /** Unix seconds; equals the bounty's submission deadline. */
    readonly not_before: number;
  };
  readonly key_bag: { readonly ciphertext: string; readonly sha256: string };
  readonly storage: { readonly locator: string };
}

/** What an envelope must agree with: the bounty on chain and the deployment's drand chain. */
export interface EnvelopeContext extends SubmissionPlace {
  readonly guardianRosterHash: Hex;
  readonly recipientsCommitment: Hex;
  /** Unix seconds. */
  readonly submissionDeadline: number;
  readonly drand: Pick<DrandNetwork, 'chainHash' | 'genesisSeconds' | 'periodSeconds'>;
  /** The largest ciphertext that this bounty takes. */
  readonly maxCiphertextBytes: number;
}

const checkShape = shapeCheck(envelopeSchema);

/** Reads an envelope from its exact bytes and checks its inner digests, or tells what is wrong with it. Never throws. */
export function parseEnvelope(bytes: Uint8Array): { envelope: Envelope } | { issues: Issue[] } {
  if (bytes.length > LIMITS.documentBytes) {
    return { issues: [{ path: '', message: `An envelope has at most ${LIMITS.documentBytes} bytes.` }] };
  }
  const parsed = parseCanonical(bytes);
  if ('issues' in parsed) return parsed;
  const shape = checkShape(parsed.value);
  if (shape.length > 0) return { issues: shape };
  const envelope = parsed.value as Envelope;
  const issues = innerIssues(envelope);
  return issues.length > 0 ? { issues } : { envelope };
}

/** What keeps a well-formed envelope from being a Submission to this bounty; empty when nothing does. */
export function envelopeContextIssues(envelope: Envelope, context: EnvelopeContext): Issue[] {
  const { recipients, reveal_policy: reveal, bundle } = envelope;
  const issues = contextIssues(envelope.context, context);
  const expect = (holds: boolean, path: string, message: string) => {
    if (!holds) issues.push({ path, message });
  };
  expect(
    bundle.ciphertext_byte_length <= context.maxCiphertextBytes,
    '/bundle/ciphertext_byte_length',
    `Must be at most ${context.maxCiphertextBytes}.`,
  );
  expect(
    recipients.guardian_roster_hash === context.guardianRosterHash.toLowerCase(),
    '/recipients/guardian_roster_hash',
    "Must be the hash of the bounty's pinned roster.",
  );
  expect(
    recipients.recipients_commitment === context.recipientsCommitment.toLowerCase(),
    '/recipients/recipients_commitment',
    "Must commit to the accounts and keys of the bounty's pinned roster.",
  );
  expect(
    reveal.chain_hash === context.drand.chainHash,
    '/reveal_policy/chain_hash',
    "Must be this deployment's drand chain.",
  );
  const round = revealRound(context.submissionDeadline, context.drand);
  expect(
    reveal.round === round,
    '/reveal_policy/round',
    `Must be ${round}, the first round at or after the deadline.`,
  );
  expect(
    reveal.not_before === context.submissionDeadline,
    '/reveal_policy/not_before',
    `Must be ${context.submissionDeadline}, the bounty's submission deadline.`,
  );
  return issues;
}

/** `keccak256` of the envelope's canonical JSON: what the Solver records on chain (specification section 1). */
export function submissionCommitment(envelope: Envelope): Hex {
  return commitmentOf(canonicalBytes(envelope));
}

function innerIssues({ bundle, storage, key_bag: bag }: Envelope): Issue[] {
  const issues: Issue[] = [];
  if (storage.locator !== ciphertextLocator(bundle.ciphertext_sha256)) {
    issues.push({
      path: '/storage/locator',
      message: 'Must be the locator that follows from ciphertext_sha256.',
    });
  }
  const ciphertext = decodeBase64Url(bag.ciphertext);
  if (ciphertext === undefined) {
    issues.push({ path: '/key_bag/ciphertext', message: 'Must be base64url without padding.' });
  } else if (sha256Hex(ciphertext) !== bag.sha256) {
    issues.push({ path: '/key_bag/sha256', message: "Must be the SHA-256 of the key bag's ciphertext." });
  }
  return issues;
}
