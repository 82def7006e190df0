// When a Submission can be opened: the drand round that unlocks its key bag (specification section 1: nobody can open
// a Submission before the deadline). Must never round down: the round's time is at or after the deadline.
import type { DrandNetwork } from './drandNetwork.ts';

/** The parts of a drand chain that say when its rounds come. */
export type DrandClock = Pick<DrandNetwork, 'genesisSeconds' | 'periodSeconds'>;

/**
 * The first round at or after a submission deadline (Unix seconds): `ceil((deadline - genesis) / period) + 1`, round 1
 * being at genesis. Throws a RangeError for a deadline before genesis, which no round precedes.
 */
export function revealRound(submissionDeadline: number, drand: DrandClock): number {
  if (!Number.isSafeInteger(submissionDeadline) || submissionDeadline < drand.genesisSeconds) {
    throw new RangeError(
      'The deadline must be whole Unix seconds at or after the genesis of the drand chain.',
    );
  }
  return Math.ceil((submissionDeadline - drand.genesisSeconds) / drand.periodSeconds) + 1;
}

/** When a round is published, in Unix seconds. Throws a RangeError for a round below 1. */
export function roundTime(round: number, drand: DrandClock): number {
  if (!Number.isSafeInteger(round) || round < 1) throw new RangeError('Rounds are whole numbers from 1.');
  return drand.genesisSeconds + (round - 1) * drand.periodSeconds;
}
