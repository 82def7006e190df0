// The ledger of readiness reviews: each approval once, so many in a rolling day per Poster and per deployment. Shared by
// all server processes; the database's clock is the only one.

import type { Address, Hex } from 'viem';
import { ServiceError } from '../../protocol/errors.ts';
import type { Database } from '../state.ts';

/** Who asked for a review with which approval. */
export interface ReviewClaim {
  readonly digest: Hex;
  readonly signer: Address;
}

/** The ledger. */
export interface ReviewLedger {
  /**
   * Take a slot for an approval; of many at once at the last slot one gets it.
   *
   * @throws ServiceError 409 `publication_review_unavailable` for an approval that was used, 429
   *   `publication_review_limit_reached` with the time from which on another attempt makes sense
   */
  claim(claim: ReviewClaim): Promise<void>;
  /** Give the slot back after a provider's or a neighbour's failure. The approval stays used. */
  giveBack(claim: ReviewClaim): Promise<void>;
}

/** Reviews in 24 hours. */
export interface ReviewQuotas {
  readonly quotaPerPoster: number;
  readonly quotaTotal: number;
}

const WINDOW = "interval '24 hours'";
// ASCII "BSSR".
const LEDGER_LOCK = 0x42535352;

/** The ledger in a database. */
export function reviewLedger(database: Database, { quotaPerPoster, quotaTotal }: ReviewQuotas): ReviewLedger {
  return {
    claim: ({ digest, signer }) =>
      database.transaction(async (query) => {
        await query('SELECT pg_advisory_xact_lock($1)', [LEDGER_LOCK]);
        await query(`DELETE FROM review_ledger WHERE claimed_at < now() - 2 * ${WINDOW}`);
        const used = await query('SELECT 1 FROM review_ledger WHERE approval_digest = $1 AND signer = $2', [
          digest,
          signer,
        ]);
        if (used.length > 0) throw new ServiceError('publication_review_unavailable');
        const ofPoster = await waitFor(query, quotaPerPoster, 'AND signer = $2', [signer]);
        const ofAll = await waitFor(query, quotaTotal, '', []);
        const notBefore = Math.max(ofPoster.notBefore, ofAll.notBefore);
        if (notBefore > 0) throw limitReached(notBefore, ofAll.now);
        await query('INSERT INTO review_ledger (approval_digest, signer) VALUES ($1, $2)', [digest, signer]);
      }),
    async giveBack({ digest, signer }) {
      await database.query(
        'UPDATE review_ledger SET counts = false WHERE approval_digest = $1 AND signer = $2',
        [digest, signer],
      );
    },
  };
}

interface Wait {
  /** Unix seconds, 0 when a slot is free. */
  readonly notBefore: number;
  readonly now: number;
}

/** When the oldest review that has to leave the window leaves it. */
async function waitFor(
  query: Database['query'],
  quota: number,
  condition: string,
  values: readonly unknown[],
): Promise<Wait> {
  // The quota's newest rows fill the window: the oldest of them frees the next slot.
  const [row] = await query<{ now: number; frees: number | null }>(
    `SELECT extract(epoch FROM now())::float8 AS now,
       (SELECT extract(epoch FROM claimed_at + ${WINDOW})::float8 FROM review_ledger
        WHERE counts AND claimed_at > now() - ${WINDOW} ${condition}
        ORDER BY claimed_at DESC OFFSET $1 LIMIT 1) AS frees`,
    [Math.max(0, quota - 1), ...values],
  );
  const { now, frees } = row!;
  if (quota === 0) return { now, notBefore: now + 24 * 60 * 60 };
  return { now, notBefore: frees ?? 0 };
}

function limitReached(notBefore: number, now: number): ServiceError {
  // Whole seconds, so that both ways of saying it agree.
  const retryAfterSeconds = Math.max(1, Math.ceil(notBefore - now));
  return new ServiceError('publication_review_limit_reached', {
    retryAfterSeconds,
    retryNotBefore: Math.ceil(now) + retryAfterSeconds,
  });
}
