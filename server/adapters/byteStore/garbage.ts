// Garbage collection on the node: takes what neither a pin nor a link in MFS holds.

import { type Kubo, storageFailure } from './kubo.ts';

/** A node with many blocks is silent while it looks through them. */
const SILENCE_MS = 600_000;

/** Collects and returns how many blocks went. @throws ServiceError `storage_unavailable` */
export async function collectGarbage(kubo: Kubo): Promise<number> {
  let removed = 0;
  for await (const { err } of kubo.stream(
    ({ client, options }) => client.repo.gc({ signal: options.signal }),
    SILENCE_MS,
  )) {
    if (err) throw storageFailure(err);
    removed += 1;
  }
  return removed;
}
