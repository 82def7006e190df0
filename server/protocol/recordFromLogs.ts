// A VerificationRecord's facts from the Hub's own logs, without any index: what verify-record recomputes (specification
// section 1, step 7). The logs are those of one bounty up to a finalized block, in the chain's order. Pure.

import { type Hex, type Log, parseEventLogs } from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';
import type { LogPlace, RecordFacts } from './verificationRecord.ts';

/** A mined log, as `eth_getLogs` answers it. */
export type MinedLog = Log<bigint, number, false>;

/** What one bounty's logs say; `timestamp` and the challenge's length are not in logs. */
export type LoggedFacts = Omit<
  RecordFacts,
  'chainId' | 'hubAddress' | 'challenge' | 'rosterSize' | 'settlement'
> & {
  readonly specCommitment: Hex;
  readonly guardianRosterHash: Hex;
  /** Absent when timed out: the event does not say it. */
  readonly rosterSize: number | undefined;
  readonly settlement: LogPlace;
};

/** The facts, or what is missing: the bounty itself, or its end. */
export function factsFromLogs(
  bountyId: bigint,
  logs: readonly MinedLog[],
): { facts: LoggedFacts } | { missing: 'bounty' | 'end' } {
  const events = parseEventLogs({ abi: hubAbi, logs: [...logs] });
  const created = events.find(
    (event) => event.eventName === 'BountyCreated' && event.args.bountyId === bountyId,
  );
  if (created?.eventName !== 'BountyCreated') return { missing: 'bounty' };
  const ends = ['BountyAwarded', 'BountyRefunded', 'BountyTimedOut'] as const;
  const end = events.find((event) => ends.some((name) => name === event.eventName));
  const { specCommitment, guardianRosterHash, token } = created.args;
  const common = { bountyId, specCommitment, guardianRosterHash };

  switch (end?.eventName) {
    case 'BountyAwarded': {
      const { winner, submissionCommitment, netAmount, matchHash, matching, rosterSize } = end.args;
      const award = { winner, submissionCommitment, payout: { tokenAddress: token, amount: netAmount } };
      const supportingVerdicts = supporting(events, matchHash);
      const counts = { matching: Number(matching), rosterSize: Number(rosterSize) };
      return {
        facts: {
          ...common,
          ...counts,
          outcome: 'awarded',
          award,
          supportingVerdicts,
          settlement: placeOf(end),
        },
      };
    }
    case 'BountyRefunded': {
      const { matchHash, matching, rosterSize } = end.args;
      const supportingVerdicts = supporting(events, matchHash);
      const counts = { matching: Number(matching), rosterSize: Number(rosterSize) };
      return {
        facts: {
          ...common,
          ...counts,
          outcome: 'refunded',
          award: null,
          supportingVerdicts,
          settlement: placeOf(end),
        },
      };
    }
    case 'BountyTimedOut': {
      const counts = { matching: 0, rosterSize: undefined };
      const settlement = placeOf(end);
      return {
        facts: {
          ...common,
          ...counts,
          outcome: 'timed_out',
          award: null,
          supportingVerdicts: [],
          settlement,
        },
      };
    }
    default:
      return { missing: 'end' };
  }
}

/** Each Guardian's last Verdict, where it matches: nothing can be recorded after the end. */
function supporting(events: ReturnType<typeof parseEventLogs<typeof hubAbi>>, matchHash: Hex) {
  const current = new Map<string, { report: Hex; matchHash: Hex; place: LogPlace }>();
  for (const event of events) {
    if (event.eventName !== 'VerdictRecorded') continue;
    const { guardian, reportCommitment, matchHash: own } = event.args;
    current.set(guardian.toLowerCase(), { report: reportCommitment, matchHash: own, place: placeOf(event) });
  }
  return [...current]
    .filter(([, verdict]) => verdict.matchHash === matchHash)
    .map(([guardian, { report, place }]) => ({
      guardianAddress: guardian as Hex,
      reportCommitment: report,
      place,
    }));
}

function placeOf(event: {
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: number;
}): LogPlace {
  const { blockNumber, blockHash, transactionHash, logIndex } = event;
  return { blockNumber: Number(blockNumber), blockHash, transactionHash, logIndex };
}
