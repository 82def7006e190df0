// A right envelope and its context for tests, with what a test wants to be different. The key bag is no real age file
// here: what the time lock holds is tested where it is made.
import type { Address, Hex } from 'viem';
import { ciphertextLocator } from '../../server/protocol/address.ts';
import { encodeBase64Url } from '../../server/protocol/base64Url.ts';
import { DEPLOYMENTS } from '../../server/protocol/deployments.ts';
import type { Envelope, EnvelopeContext } from '../../server/protocol/envelope.ts';
import { revealRound } from '../../server/protocol/reveal.ts';
import { sha256Hex } from '../../server/protocol/sha256Hex.ts';
import { submissionContext } from '../../server/protocol/submissionContext.ts';

const hash = (byte: string): Hex => `0x${byte.repeat(32)}`;

/** What the envelope of {@link envelope} agrees with. */
export const ENVELOPE_CONTEXT: EnvelopeContext = {
  chainId: 31337,
  hubAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3' as Address,
  bountyId: 7n,
  solverAddress: '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A' as Address,
  specCommitment: hash('11'),
  guardianRosterHash: hash('22'),
  recipientsCommitment: hash('33'),
  submissionDeadline: 1_790_000_000,
  drand: DEPLOYMENTS.local.drand,
  maxCiphertextBytes: 5000,
};

/** A right envelope; `change` replaces whole top-level fields. */
export function envelope(change: Partial<Envelope> = {}): Envelope {
  const bag = new TextEncoder().encode('an age file');
  const digest = sha256Hex(new TextEncoder().encode('a ciphertext'));
  return {
    schema: 'submission-envelope/v0',
    context: submissionContext(ENVELOPE_CONTEXT),
    bundle: { ciphertext_sha256: digest, ciphertext_byte_length: 5000, encryption: 'age-x25519' },
    recipients: {
      guardian_roster_hash: ENVELOPE_CONTEXT.guardianRosterHash,
      recipients_commitment: ENVELOPE_CONTEXT.recipientsCommitment,
    },
    reveal_policy: {
      type: 'drand-timelock',
      chain_hash: ENVELOPE_CONTEXT.drand.chainHash,
      round: revealRound(ENVELOPE_CONTEXT.submissionDeadline, ENVELOPE_CONTEXT.drand),
      not_before: ENVELOPE_CONTEXT.submissionDeadline,
    },
    key_bag: { ciphertext: encodeBase64Url(bag), sha256: sha256Hex(bag) },
    storage: { locator: ciphertextLocator(digest) },
    ...change,
  };
}
