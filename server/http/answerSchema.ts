// Pieces of the answers' JSON Schemas that several routes share, for OpenAPI and the contract tests.

/** An object of these properties and no others; all required but the optional ones. */
export function closed(
  properties: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): object {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  };
}

/** Any text. */
export const TEXT = { type: 'string' };

/** Any integer. */
export const INTEGER = { type: 'integer' };

/** An address in EIP-55. */
export const ADDRESS = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' };

/** 32 bytes in lower-case hex. */
export const BYTES32 = { type: 'string', pattern: '^0x[0-9a-f]{64}$' };

/** Unix seconds. */
export const TIMESTAMP = { type: 'integer', minimum: 0, description: 'Unix seconds.' };

/** An amount. */
export const AMOUNT = {
  type: 'string',
  pattern: '^(0|[1-9][0-9]*)$',
  description: "In the token's smallest unit.",
};

/** The block that an answer rests on. */
export const AS_OF = closed({ block_number: INTEGER, block_hash: BYTES32 });

/** Prepared calls, as EIP-5792 wallets take them, with further properties where a route has some. */
export function prepared(further: Readonly<Record<string, object>> = {}): object {
  const call = closed({
    to: ADDRESS,
    value: TEXT,
    data: TEXT,
    function_name: TEXT,
    args: { type: 'object' },
  });
  const calls = { type: 'array', items: call };
  return closed({ chain_id: INTEGER, from: ADDRESS, calls, ...further }, Object.keys(further));
}

/** A ciphertext that can be fetched for a while. */
export const CIPHERTEXT = closed({
  url: TEXT,
  expires_at: TIMESTAMP,
  sha256: TEXT,
  byte_length: INTEGER,
  dag_root: TEXT,
});
