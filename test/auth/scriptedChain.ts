// A chain of blocks that anybody can compute, for decisions that need no other chain: block n's hash is keccak256 of the
// text "block n", as the golden decisions say.

import { type Hex, keccak256, toHex } from 'viem';

/** The hash of a block. */
export function scriptedHash(number: number): Hex {
  return keccak256(toHex(`block ${number}`));
}

/** The chain with this head. */
export function scriptedChain(head: number) {
  return {
    head: () => ({
      number: head,
      hash: scriptedHash(head),
      parentHash: scriptedHash(head - 1),
      timestamp: 0,
    }),
    refresh: async () => {},
    hashAt: async (number: number) => (number <= head ? scriptedHash(number) : null),
  };
}
