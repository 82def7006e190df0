// What the raw logs alone say of every bounty at a block: an independent second opinion beside the subgraph.

import { type Address, type Hex, type PublicClient, parseEventLogs } from 'viem';
import { hubAbi } from '../../abis/hubAbi.ts';

/** A bounty as its logs leave it; addresses as logs have them. */
export interface OracleBounty {
  readonly id: string;
  readonly poster: Address;
  readonly specCommitment: Hex;
  readonly guardians: readonly Address[];
  status: 'open' | 'awarded' | 'refunded' | 'timed_out';
  winner: Address | null;
  /** Active Submission of each Solver. */
  readonly submissions: Map<Address, Hex>;
}

/** Every bounty at a block, by id. */
export async function replay(
  client: PublicClient,
  hubAddress: Address,
  toBlock: bigint,
): Promise<Map<string, OracleBounty>> {
  const logs = await client.getLogs({ address: hubAddress, fromBlock: 0n, toBlock });
  const rosters = new Map<Hex, readonly Address[]>();
  const bounties = new Map<string, OracleBounty>();
  for (const event of parseEventLogs({ abi: hubAbi, logs })) {
    switch (event.eventName) {
      case 'RosterPublished':
        rosters.set(
          event.args.rosterHash,
          event.args.guardians.map(({ account }) => account),
        );
        break;
      case 'BountyCreated': {
        const { bountyId, poster, specCommitment, guardianRosterHash } = event.args;
        bounties.set(String(bountyId), {
          id: String(bountyId),
          poster,
          specCommitment,
          guardians: rosters.get(guardianRosterHash) ?? [],
          status: 'open',
          winner: null,
          submissions: new Map(),
        });
        break;
      }
      case 'SubmissionRecorded':
        bounties
          .get(String(event.args.bountyId))
          ?.submissions.set(event.args.solver, event.args.submissionCommitment);
        break;
      case 'BountyAwarded': {
        const bounty = bounties.get(String(event.args.bountyId))!;
        bounty.status = 'awarded';
        bounty.winner = event.args.winner;
        break;
      }
      case 'BountyRefunded':
        bounties.get(String(event.args.bountyId))!.status = 'refunded';
        break;
      case 'BountyTimedOut':
        bounties.get(String(event.args.bountyId))!.status = 'timed_out';
        break;
    }
  }
  return bounties;
}
