// Everything that the finalized chain commits to, from the Hub's logs alone: what an operator must be able to serve.

import { createPublicClient, type Hex, http, parseEventLogs, toEventSelector } from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';
import { type LogOrigin, readHubLogs } from '../sdk/hubLogs.ts';

/** A Solver's active Submission. */
export interface CommittedSubmission {
  readonly bountyId: string;
  readonly solver: string;
  readonly commitment: Hex;
}

/** What is committed at the finalized block, and how many logs say so. */
export interface Committed {
  readonly finalizedBlock: bigint;
  readonly challenges: readonly Hex[];
  readonly reports: readonly Hex[];
  readonly submissions: readonly CommittedSubmission[];
  /** Logs by event, for comparing with an index. */
  readonly logs: Readonly<
    Record<'BountyCreated' | 'SubmissionRecorded' | 'VerdictRecorded' | 'settled', number>
  >;
}

const SETTLING: readonly string[] = ['BountyAwarded', 'BountyRefunded', 'BountyTimedOut'];
const WANTED: readonly string[] = ['BountyCreated', 'SubmissionRecorded', 'VerdictRecorded', ...SETTLING];

/** Reads it. @throws When the RPC does not answer */
export async function readCommitted(origin: LogOrigin & { readonly rpcUrl: string }): Promise<Committed> {
  const client = createPublicClient({ transport: http(origin.rpcUrl) });
  const { number: finalizedBlock } = await client.getBlock({ blockTag: 'finalized' });
  const selectors = hubAbi
    .filter((item) => item.type === 'event' && WANTED.includes(item.name))
    .map((item) => toEventSelector(item as never));
  const events = parseEventLogs({
    abi: hubAbi,
    logs: await readHubLogs(client, origin, finalizedBlock, [selectors]),
  });
  const challenges = new Set<Hex>();
  const reports = new Set<Hex>();
  const submissions = new Map<string, CommittedSubmission>();
  const logs = { BountyCreated: 0, SubmissionRecorded: 0, VerdictRecorded: 0, settled: 0 };
  for (const event of events) {
    switch (event.eventName) {
      case 'BountyCreated':
        challenges.add(event.args.specCommitment);
        break;
      case 'VerdictRecorded':
        reports.add(event.args.reportCommitment);
        break;
      case 'SubmissionRecorded': {
        const { bountyId, solver, submissionCommitment: commitment } = event.args;
        submissions.set(`${bountyId} ${solver}`, { bountyId: String(bountyId), solver, commitment });
        break;
      }
    }
    const kind = SETTLING.includes(event.eventName) ? 'settled' : event.eventName;
    if (kind in logs) logs[kind as keyof typeof logs] += 1;
  }
  return {
    finalizedBlock,
    challenges: [...challenges],
    reports: [...reports],
    submissions: [...submissions.values()],
    logs,
  };
}
