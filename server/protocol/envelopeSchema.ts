// The shape of a Submission envelope (specification section 1 lists its contents). Unknown keys fail; hashes and
// addresses are lower case, because the whole is hashed. Must never hold a rule that needs the chain.
import { byteLength, locator, lowerBytes32, sha256Digest, timestamp } from './schemas.ts';
import { submissionContextSchema } from './submissionContext.ts';

/** The schema identifier of envelopes. */
export const ENVELOPE_SCHEMA_NAME = 'submission-envelope/v0';

/** JSON schema of an envelope. */
export const envelopeSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['schema', 'context', 'bundle', 'recipients', 'reveal_policy', 'key_bag', 'storage'],
  properties: {
    schema: { const: ENVELOPE_SCHEMA_NAME },
    context: submissionContextSchema,
    bundle: {
      type: 'object',
      additionalProperties: false,
      required: ['ciphertext_sha256', 'ciphertext_byte_length', 'encryption'],
      properties: {
        ciphertext_sha256: sha256Digest,
        ciphertext_byte_length: byteLength,
        encryption: { const: 'age-x25519' },
      },
    },
    recipients: {
      type: 'object',
      additionalProperties: false,
      required: ['guardian_roster_hash', 'recipients_commitment'],
      properties: { guardian_roster_hash: lowerBytes32, recipients_commitment: lowerBytes32 },
    },
    reveal_policy: {
      type: 'object',
      additionalProperties: false,
      required: ['type', 'chain_hash', 'round', 'not_before'],
      properties: {
        type: { const: 'drand-timelock' },
        chain_hash: {
          type: 'string',
          pattern: '^[0-9a-f]{64}$',
          description: 'the hash of a drand chain: 64 lower-case hex digits without 0x',
        },
        round: {
          type: 'integer',
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'a round of a drand chain: an integer from 1',
        },
        not_before: timestamp,
      },
    },
    key_bag: {
      type: 'object',
      additionalProperties: false,
      required: ['ciphertext', 'sha256'],
      properties: {
        ciphertext: {
          type: 'string',
          pattern: '^[A-Za-z0-9_-]+$',
          description: 'an age file in base64url without padding',
        },
        sha256: sha256Digest,
      },
    },
    storage: {
      type: 'object',
      additionalProperties: false,
      required: ['locator'],
      properties: { locator },
    },
  },
} as const;
