// The Hub's enums as the schema writes them.

export const AWARDED: i32 = 1;
export const REFUNDED: i32 = 2;

/** "awarded" or "refunded"; the Hub records no other Verdict. */
export function outcomeName(outcome: i32): string {
  return outcome == AWARDED ? 'awarded' : 'refunded';
}
