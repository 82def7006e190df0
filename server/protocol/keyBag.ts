// The key bag before it is time-locked: one wrapped content key for each pinned Guardian (specification section 1,
// envelope). Canonical JSON of `[{account, wrapped_key}]`, accounts in lower case and strictly ascending.
// Must never hold a key that is not wrapped.
import type { Address } from 'viem';
import { canonicalBytes, parseCanonical } from './canonicalJson.ts';
import type { Issue } from './errors.ts';
import { MAX_ROSTER_SIZE } from './roster.ts';
import { lowerAddress, wrappedKey } from './schemas.ts';
import { shapeCheck } from './shapeCheck.ts';

/** One Guardian's wrap of the content key. */
export interface KeyBagEntry {
  readonly account: Address;
  readonly wrapped_key: string;
}

const checkShape = shapeCheck({
  type: 'array',
  minItems: 1,
  maxItems: MAX_ROSTER_SIZE,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['account', 'wrapped_key'],
    properties: { account: lowerAddress, wrapped_key: wrappedKey },
  },
});

/** The bytes of a bag to time-lock; accounts are lower-cased and sorted. */
export function keyBagBytes(entries: readonly KeyBagEntry[]): Uint8Array<ArrayBuffer> {
  const sorted = entries
    .map(({ account, wrapped_key }) => ({ account: account.toLowerCase(), wrapped_key }))
    .sort((one, other) => (one.account < other.account ? -1 : 1));
  return canonicalBytes(sorted);
}

/** Reads an unlocked bag, or tells what is wrong with it. Never throws. */
export function parseKeyBag(bytes: Uint8Array): { entries: KeyBagEntry[] } | { issues: Issue[] } {
  const parsed = parseCanonical(bytes);
  if ('issues' in parsed) return parsed;
  const shape = checkShape(parsed.value);
  if (shape.length > 0) return { issues: shape };
  const entries = parsed.value as KeyBagEntry[];
  const issues = entries.flatMap(({ account }, index) =>
    index === 0 || entries[index - 1]!.account < account
      ? []
      : [{ path: `/${index}/account`, message: 'Accounts must be strictly ascending.' }],
  );
  return issues.length > 0 ? { issues } : { entries };
}
