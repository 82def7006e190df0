// Bytes that no Submission names are removed a day after upload or prepare, so that strangers cannot fill the disk. Only
// the chain says what is named, at its head or at the finalized block; while that cannot be read, nothing is removed.

import type { Address } from 'viem';
import type { ByteStore } from './byteStore.ts';
import type { FactSources } from './hubIndex/bounty.ts';
import { isActiveSubmission } from './hubIndex/submission.ts';
import type { Logger } from './log.ts';
import type { NamingEnvelope, Retention } from './state/retention.ts';

/** Looks after stored Submissions. */
export interface Sweep {
  /** Find out which of a Solver's waiting packages an active Submission names by now. */
  nameRecorded(solver: Address): Promise<void>;
  /** Remove everything that is due, unless another process is at it. Resolves with how many things went. */
  run(): Promise<number>;
  stop(): void;
}

/** What the sweep needs. */
export interface SweepOptions {
  readonly facts: FactSources;
  readonly byteStore: Pick<ByteStore, 'removeCiphertext' | 'removeEnvelope' | 'collectGarbage'>;
  readonly retention: Retention;
  readonly retentionSeconds: number;
  readonly log: Logger;
}

const BATCH = 200;
const INTERVAL_MS = 15 * 60 * 1_000;

/** Start sweeping every quarter of an hour. */
export function startSweep({ facts, byteStore, retention, retentionSeconds, log }: SweepOptions): Sweep {
  const isNamed = async ({ bountyId, solver, submissionCommitment }: NamingEnvelope): Promise<boolean> => {
    const at = await facts.hubIndex.snapshot();
    return isActiveSubmission(facts, bountyId, solver, submissionCommitment, at);
  };
  const anyNamed = async (envelopes: readonly NamingEnvelope[]): Promise<boolean> => {
    for (const envelope of envelopes) if (await isNamed(envelope)) return true;
    return false;
  };

  const sweepPackages = async (): Promise<number> => {
    let removed = 0;
    for (const subject of await retention.duePackages(BATCH)) {
      if (await anyNamed(await retention.envelopesOf(subject))) {
        await retention.keepPackage(subject, retentionSeconds);
        continue;
      }
      if (!(await retention.isShared(subject))) await byteStore.removeCiphertext(subject.locator);
      await retention.forgetPackage(subject);
      removed += 1;
    }
    return removed;
  };
  const sweepEnvelopes = async (): Promise<number> => {
    let removed = 0;
    for (const envelope of await retention.dueEnvelopes(BATCH)) {
      if (await isNamed(envelope)) {
        await retention.keepEnvelope(envelope, retentionSeconds);
        continue;
      }
      await byteStore.removeEnvelope(envelope.bountyId, envelope.submissionCommitment);
      await retention.forgetEnvelope(envelope);
      removed += 1;
    }
    return removed;
  };

  const run = async (): Promise<number> => {
    let removed = 0;
    await retention.alone(async () => {
      // Packages first: whether one is named is read from its envelopes.
      removed = (await sweepPackages()) + (await sweepEnvelopes());
      if (removed > 0) await byteStore.collectGarbage();
    });
    return removed;
  };
  const timer = setInterval(() => {
    run().then(
      (removed) => removed > 0 && log.info({ removed }, 'swept bytes that no Submission names'),
      (err) => log.warn({ err }, 'the sweep stopped half-way: it goes on next time'),
    );
  }, INTERVAL_MS);
  timer.unref();

  return {
    run,
    async nameRecorded(solver) {
      for (const envelope of await retention.waiting(solver)) {
        if (await isNamed(envelope)) await retention.keepPackage(envelope, retentionSeconds);
      }
    },
    stop: () => clearInterval(timer),
  };
}
