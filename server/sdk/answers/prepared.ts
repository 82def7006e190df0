// Prepared calls as they come over the wire. They are compared with calls derived here and never sent themselves.

import type { ReadableArgs } from '../../protocol/preparedCall.ts';
import {
  account,
  digits,
  hexBytes,
  list,
  one,
  type Read,
  record,
  type Shape,
  text,
  texts,
  whole,
} from './shape.ts';

const args: Shape<ReadableArgs> = (value, path) => {
  if (typeof value !== 'object' || value === null) return texts(value, path);
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    typeof item === 'string' ? item : args(item, `${path}/${key}`),
  ]);
  return Object.fromEntries(entries);
};

const call = record({ to: account, value: one('0x0'), data: hexBytes, function_name: text, args });

const types = list(record({ name: text, type: text }));

/** What an ERC-2612 token's owner signs. */
export const permitOffer = record({
  typed_data: record({
    domain: record({ name: text, version: text, chainId: whole, verifyingContract: account }),
    types: record({ EIP712Domain: types, Permit: types }),
    primaryType: one('Permit'),
    message: record({ owner: account, spender: account, value: digits, nonce: digits, deadline: digits }),
  }),
  function_name: one('createBountyWithPermit'),
});

const CALLS = { chain_id: whole, from: account, calls: list(call) };

/** The `prepared` object. */
export const preparedCalls = record(CALLS);

/** The `prepared` object of a publication. */
export const preparedCreation = record(CALLS, { permit: permitOffer });

/** Calls that the API prepared. */
export type PreparedCalls = Read<typeof preparedCalls>;
/** What the API prepared to fund a bounty. */
export type PreparedCreation = Read<typeof preparedCreation>;
/** A permit that the API prepared. */
export type PermitOffer = Read<typeof permitOffer>;
