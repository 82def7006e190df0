// Which committed bytes can be retrieved and hash correctly, and whether the index holds every log of the chain.

import { createHash } from 'node:crypto';
import { keccak256 } from 'viem';
import type { ByteStore } from '../adapters/byteStore.ts';
import { parseEnvelope } from '../protocol/envelope.ts';
import type { Committed } from './committed.ts';
import { indexedCounts } from './indexedCounts.ts';

/** What was found of one committed thing. */
export interface AuditRow {
  readonly kind: 'challenge' | 'report' | 'envelope' | 'ciphertext';
  /** The commitment; of a ciphertext its SHA-256. */
  readonly name: string;
  /** `foreign`: bytes that hash, but are no Submission of this bounty and Solver, which anybody can record. */
  readonly state: 'found' | 'missing' | 'mismatch' | 'foreign';
}

/** The whole audit. */
export interface Audit {
  readonly finalized_block: number;
  readonly rows: readonly AuditRow[];
  /** Logs on the chain and entities in the index; absent where no index was named. */
  readonly index?: Readonly<Record<string, { readonly logs: number; readonly indexed: number }>>;
  readonly ok: boolean;
}

/**
 * Audits a store. Nothing is believed that is not hashed here.
 *
 * @param subgraphUrl The `hub` subgraph to compare, where one is named
 * @throws ServiceError 503 when the storage does not answer; Error when the index does not
 */
export async function audit(
  byteStore: ByteStore,
  committed: Committed,
  subgraphUrl?: string,
): Promise<Audit> {
  const rows: AuditRow[] = [];
  for (const [kind, commitments] of [
    ['challenge', committed.challenges],
    ['report', committed.reports],
  ] as const)
    for (const name of commitments)
      rows.push({ kind, name, state: (await byteStore.getDocument(name)).state });
  for (const { bountyId, solver, commitment } of committed.submissions) {
    const stored = await byteStore.getEnvelope(bountyId, commitment);
    const bytes = stored.state === 'found' ? stored.bytes : undefined;
    const parsed = bytes && keccak256(bytes) === commitment ? parseEnvelope(bytes) : undefined;
    const envelope = parsed && 'envelope' in parsed ? parsed.envelope : undefined;
    const isOwn =
      envelope?.context.bounty_id === bountyId && envelope.context.solver_address === solver.toLowerCase();
    rows.push({
      kind: 'envelope',
      name: commitment,
      state: bytes === undefined || isOwn ? stored.state : 'foreign',
    });
    if (envelope && isOwn)
      rows.push(await auditCiphertext(byteStore, envelope.storage.locator, envelope.bundle));
  }
  const index = subgraphUrl === undefined ? undefined : await compare(committed, subgraphUrl);
  // Reports and Submissions that were never stored are their authors' affair; a challenge or Submission that is lost is not.
  const isWhole = rows.every(({ state }) => state === 'found' || state === 'foreign');
  const isIndexed = Object.values(index ?? {}).every(({ logs, indexed }) => logs === indexed);
  return {
    finalized_block: Number(committed.finalizedBlock),
    rows,
    ...(index ? { index } : {}),
    ok: isWhole && isIndexed,
  };
}

async function auditCiphertext(
  byteStore: ByteStore,
  locator: string,
  {
    ciphertext_sha256: sha256,
    ciphertext_byte_length: length,
  }: { ciphertext_sha256: string; ciphertext_byte_length: number },
): Promise<AuditRow> {
  const row = { kind: 'ciphertext', name: sha256 } as const;
  if ((await byteStore.statCiphertext(locator)) === undefined) return { ...row, state: 'missing' };
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of byteStore.readCiphertext(locator)) {
    hash.update(chunk);
    read += chunk.length;
  }
  return { ...row, state: hash.digest('hex') === sha256 && read === length ? 'found' : 'mismatch' };
}

async function compare({ logs, finalizedBlock }: Committed, subgraphUrl: string) {
  const counts = await indexedCounts(subgraphUrl, Number(finalizedBlock));
  const pairs = Object.entries(counts).map(([event, indexed]) => [
    event,
    { logs: logs[event as keyof typeof logs], indexed },
  ]);
  return Object.fromEntries(pairs) as Record<string, { logs: number; indexed: number }>;
}
