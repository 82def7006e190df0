// The JSON-schema leaves that every boundary shares (specification section 2, conventions for all payloads).
// Every `description` completes the sentence "Must be …". Must never coerce: a number is not a string of digits.

/** An account: 0x and 40 hex digits, all lower, all upper or with a valid checksum (EIP-55). */
export const address = {
  type: 'string',
  format: 'address',
  description: 'an address: 0x and 40 hex digits, in one case or with a valid checksum',
} as const;

/** An account inside what is hashed, signed or authenticated: lower case only. */
export const lowerAddress = {
  type: 'string',
  pattern: '^0x[0-9a-f]{40}$',
  description: 'an address in lower case: 0x and 40 hex digits',
} as const;

/** A bytes32 in any case, as requests may write it. */
export const bytes32 = {
  type: 'string',
  pattern: '^0x[0-9a-fA-F]{64}$',
  description: 'a bytes32: 0x and 64 hex digits',
} as const;

/** A bytes32 inside what is hashed, signed or authenticated: lower case only. */
export const lowerBytes32 = {
  type: 'string',
  pattern: '^0x[0-9a-f]{64}$',
  description: 'a bytes32 in lower case: 0x and 64 hex digits',
} as const;

/** An amount in the smallest unit, or any other uint256: decimal digits without leading zeros. */
export const uint256 = {
  type: 'string',
  format: 'uint256',
  description: 'an integer below 2^256 as a string of decimal digits without leading zeros',
} as const;

/** The id of a bounty: a uint256 in decimal. */
export const bountyId = {
  ...uint256,
  description: 'a bounty id: decimal digits without leading zeros',
} as const;

/** An EVM chain id. */
export const chainId = {
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'a chain id: a positive integer',
} as const;

/** Unix seconds, up to the end of year 9999. */
export const timestamp = {
  type: 'integer',
  minimum: 0,
  maximum: 253_402_300_799,
  description: 'a timestamp in whole Unix seconds',
} as const;

/** 32 bytes in base64url without padding. */
export const base64Url32 = {
  type: 'string',
  format: 'base64url32',
  description: '32 bytes in base64url without padding: 43 characters',
} as const;

/** An X25519 public key that is not of low order. */
export const x25519PublicKey = {
  type: 'string',
  format: 'x25519-public-key',
  description: 'an X25519 public key, not of low order: 32 bytes in base64url without padding',
} as const;

/** A wrapped content key: 80 bytes in base64url without padding. */
export const wrappedKey = {
  type: 'string',
  format: 'base64url80',
  description: 'a wrapped key: 80 bytes in base64url without padding, 107 characters',
} as const;

/** SHA-256 as the envelope writes it. */
export const sha256Digest = {
  type: 'string',
  pattern: '^[0-9a-f]{64}$',
  description: 'a SHA-256 digest: 64 lower-case hex digits without 0x',
} as const;

/** How many bytes something has. */
export const byteLength = {
  type: 'integer',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'a length in bytes: a positive integer',
} as const;

/** Where bytes lie: `ipfs://` and a CIDv1 with a 32-byte hash, in base32. */
export const locator = {
  type: 'string',
  pattern: '^ipfs://b[a-z2-7]{58}$',
  description: 'a locator: ipfs:// and a CIDv1 in base32',
} as const;
