// What a promise was rejected with, of the class that a test expects.

import { expect } from 'chai';

/** The rejection; fails the test when there is none, or one of another class. */
export async function failureOf<E extends Error>(
  work: Promise<unknown>,
  kind: new (...parameters: never[]) => E,
): Promise<E> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, error instanceof Error ? error.stack : 'it was not rejected').to.be.instanceOf(kind);
  return error as E;
}
