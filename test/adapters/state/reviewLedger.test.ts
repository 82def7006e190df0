// The ledger of reviews on a real PostgreSQL, over two pools as two processes have: one clock, one window, each approval
// once. Each test has signers of its own; those about the whole deployment have the ledger to themselves.

import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Address, Hex } from 'viem';
import {
  type ReviewLedger,
  type ReviewQuotas,
  reviewLedger,
} from '../../../server/adapters/state/reviewLedger.ts';
import { type Database, openDatabase } from '../../../server/adapters/state.ts';
import { ServiceError } from '../../../server/protocol/errors.ts';
import { sharedStack } from '../../localStack.ts';

const DAY_SECONDS = 24 * 60 * 60;

describe('reviewLedger', () => {
  let first: Database;
  let second: Database;
  before(async function () {
    this.timeout(60_000);
    const { databaseUrl } = await sharedStack();
    first = await openDatabase(databaseUrl);
    second = await openDatabase(databaseUrl);
  });
  after(async () => {
    // The servers of other tests count what is left here.
    await first?.query('DELETE FROM review_ledger WHERE signer = ANY($1)', [signers]);
    await Promise.all([first?.close(), second?.close()]);
  });

  const bytes = (length: number): Hex => `0x${randomBytes(length).toString('hex')}`;
  const signers: Address[] = [];
  const someone = (): Address => {
    const signer = bytes(20);
    signers.push(signer);
    return signer;
  };
  const by = (signer: Address) => ({ digest: bytes(32), signer });
  const ledger = (quotas: Partial<ReviewQuotas>, database = first): ReviewLedger =>
    reviewLedger(database, { quotaPerPoster: 1_000_000, quotaTotal: 1_000_000, ...quotas });
  /** A review that took place so many seconds ago. */
  const past = async (signer: Address, secondsAgo: number): Promise<Hex> => {
    const { digest } = by(signer);
    await first.query(
      `INSERT INTO review_ledger (approval_digest, signer, claimed_at)
       VALUES ($1, $2, now() - make_interval(secs => $3))`,
      [digest, signer, secondsAgo],
    );
    return digest;
  };
  const refusalOf = async (work: Promise<unknown>): Promise<ServiceError> => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(ServiceError);
    return error as ServiceError;
  };
  const databaseNow = async (): Promise<number> => {
    const [row] = await first.query<{ now: number }>('SELECT extract(epoch FROM now())::float8 AS now');
    return row!.now;
  };
  /** The refusal, after checking that both of its times say the same and that it is not before `seconds` from now. */
  const limitedFor = async (work: Promise<unknown>, seconds: number): Promise<void> => {
    const { code, details } = await refusalOf(work);
    expect(code).to.equal('publication_review_limit_reached');
    const { retryAfterSeconds, retryNotBefore } = details;
    expect(retryAfterSeconds)
      .to.satisfy(Number.isInteger)
      .and.to.be.within(Math.max(1, seconds - 2), seconds + 1);
    expect(retryNotBefore).to.satisfy(Number.isInteger);
    expect(retryNotBefore! - (await databaseNow())).to.be.within(
      retryAfterSeconds! - 2,
      retryAfterSeconds! + 1,
    );
  };

  it('takes each approval once, whatever became of it', async () => {
    const [one, other] = [ledger({}), ledger({}, second)];
    const claim = by(someone());
    await one.claim(claim);
    for (const again of [one, other]) {
      expect((await refusalOf(again.claim(claim))).code).to.equal('publication_review_unavailable');
    }
    await other.giveBack(claim);
    expect((await refusalOf(one.claim(claim))).code).to.equal('publication_review_unavailable');
    const old = { signer: claim.signer, digest: await past(claim.signer, DAY_SECONDS + 5) };
    expect((await refusalOf(one.claim(old))).code).to.equal('publication_review_unavailable');
  });

  it('says that an approval was used before it says that the quota is', async () => {
    const claim = by(someone());
    const one = ledger({ quotaPerPoster: 1 });
    await one.claim(claim);
    expect((await refusalOf(one.claim(claim))).code).to.equal('publication_review_unavailable');
    expect((await refusalOf(one.claim(by(claim.signer)))).code).to.equal('publication_review_limit_reached');
  });

  it('does not mix the approvals of two wallets', async () => {
    const { digest } = by(someone());
    await ledger({}).claim({ digest, signer: someone() });
    await ledger({}).claim({ digest, signer: someone() });
  });

  it('lets exactly one of twenty through at the last slot, over two pools', async () => {
    const signer = someone();
    const both = [ledger({ quotaPerPoster: 3 }), ledger({ quotaPerPoster: 3 }, second)];
    for (const each of both) await each.claim(by(signer));
    const twenty = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => both[index % 2]!.claim(by(signer))),
    );
    expect(twenty.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    for (const each of twenty) {
      if (each.status === 'rejected') expect(each.reason.code).to.equal('publication_review_limit_reached');
    }
  });

  it('lets exactly one of twenty identical approvals through, over two pools', async () => {
    const claim = by(someone());
    const both = [ledger({}), ledger({}, second)];
    const twenty = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => both[index % 2]!.claim(claim)),
    );
    expect(twenty.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
  });

  it('frees a slot when the oldest review leaves the window, and names that time', async () => {
    const signer = someone();
    await past(signer, DAY_SECONDS - 100);
    await past(signer, 50);
    await limitedFor(ledger({ quotaPerPoster: 2 }).claim(by(signer)), 100);
    // The newest two fill a quota of two, however many there are.
    await past(signer, 10);
    await limitedFor(ledger({ quotaPerPoster: 2 }).claim(by(signer)), DAY_SECONDS - 50);
    await limitedFor(ledger({ quotaPerPoster: 3 }).claim(by(signer)), 100);
    await ledger({ quotaPerPoster: 4 }).claim(by(signer));
  });

  it('is open again at the time that it named', async function () {
    this.timeout(10_000);
    const signer = someone();
    await past(signer, DAY_SECONDS - 1.5);
    const one = ledger({ quotaPerPoster: 1 });
    const { details } = await refusalOf(one.claim(by(signer)));
    const waitMs = (details.retryNotBefore! - (await databaseNow())) * 1_000;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await one.claim(by(signer));
    await limitedFor(one.claim(by(signer)), DAY_SECONDS);
  });

  it('counts nothing that was given back, nothing older than a day, and nobody else', async () => {
    const signer = someone();
    const one = ledger({ quotaPerPoster: 1 });
    const claim = by(signer);
    await one.claim(claim);
    await one.giveBack(claim);
    await past(signer, DAY_SECONDS + 1);
    await past(someone(), 5);
    await one.claim(by(signer));
    await limitedFor(one.claim(by(signer)), DAY_SECONDS);
  });

  it('takes nothing at a quota of zero', async () => {
    await limitedFor(ledger({ quotaPerPoster: 0 }).claim(by(someone())), DAY_SECONDS);
    await limitedFor(ledger({ quotaTotal: 0 }).claim(by(someone())), DAY_SECONDS);
  });

  it('counts for the whole deployment too, and the later of both times wins', async () => {
    const [{ count }] = (await first.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM review_ledger WHERE counts AND claimed_at > now() - interval '24 hours'",
    )) as [{ count: number }];
    const signer = someone();
    await past(signer, DAY_SECONDS - 500);
    // The oldest of all within the window is this signer's: it leaves the deployment's window in 500 s.
    const quotaTotal = count + 1;
    const oldest = await oldestSeconds();
    await limitedFor(ledger({ quotaTotal }).claim(by(someone())), oldest);
    await limitedFor(ledger({ quotaTotal, quotaPerPoster: 1 }).claim(by(signer)), Math.max(oldest, 500));
    await past(signer, 100);
    await limitedFor(
      ledger({ quotaTotal: quotaTotal + 1, quotaPerPoster: 1 }).claim(by(signer)),
      DAY_SECONDS - 100,
    );
    await ledger({ quotaTotal: quotaTotal + 2 }).claim(by(someone()));
  });

  it('forgets reviews of days ago', async () => {
    const signer = someone();
    await past(signer, 2 * DAY_SECONDS + 60);
    await past(signer, DAY_SECONDS + 60);
    await ledger({}).claim(by(someone()));
    const rows = await first.query('SELECT 1 FROM review_ledger WHERE signer = $1', [signer]);
    expect(rows).to.have.length(1);
  });

  it('answers 503 when the database is away, and takes nothing', async () => {
    const gone = await openDatabase((await sharedStack()).databaseUrl);
    const one = ledger({}, gone);
    await gone.close();
    expect((await refusalOf(one.claim(by(someone())))).status).to.equal(503);
  });

  /** Seconds until the oldest counted review leaves the window. */
  async function oldestSeconds(): Promise<number> {
    const [row] = await first.query<{ seconds: number }>(
      `SELECT ${DAY_SECONDS} - extract(epoch FROM now() - min(claimed_at))::float8 AS seconds
       FROM review_ledger WHERE counts AND claimed_at > now() - interval '24 hours'`,
    );
    return row!.seconds;
  }
});
