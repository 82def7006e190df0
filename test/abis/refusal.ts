/** A refused transaction as tests compare it: the error that the contract returned, by name, with its arguments. */

/** Thrown for a transaction that was mined and reverted; `reason` is `[errorName, ...arguments]`. */
export class Refusal extends Error {
  readonly reason: readonly unknown[];

  constructor(reason: readonly unknown[]) {
    super(`refused: ${reason.map(String).join(' ')}`);
    this.reason = reason;
  }
}

/** The reason of a refused transaction; throws when it went through, or failed for any other cause. */
export async function refusalOf(transaction: Promise<unknown>): Promise<readonly unknown[]> {
  try {
    await transaction;
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
  throw new Error('expected a refusal, but the transaction went through');
}
