// Bounties: the list in pages, and one bounty held against the Hub (specification sections 2 and 4).

import type { Address } from 'viem';
import { commitmentOf } from '../../protocol/commitment.ts';
import { rosterHash } from '../../protocol/roster.ts';
import { isIntactRecord } from '../../protocol/verificationRecord.ts';
import {
  type BountyAnswer,
  type BountyPage,
  type BountyStatus,
  type BountySummary,
  bountyAnswer,
  bountyPage,
} from '../answers/bounty.ts';
import type { CallOptions, Connection } from '../connection.ts';
import type { HubBounty } from '../hub.ts';
import { readJson } from '../readAnswer.ts';
import { contradictions } from '../untrustedAnswer.ts';

/** Which bounties to list; addresses in any case. */
export interface BountyFilter {
  readonly status?: BountyStatus;
  readonly poster?: Address;
  /** With an active Submission of this Solver. */
  readonly solver?: Address;
  /** Whose pinned roster has this Guardian. */
  readonly guardian?: Address;
  /** Rows in a page, 1 to 100. */
  readonly limit?: number;
}

/** The bounty routes. */
export interface Bounties {
  /** One page, newest first, as the service's index says it: a way to find bounties, not a proof. */
  page(filter?: BountyFilter, cursor?: string, options?: CallOptions): Promise<BountyPage>;
  /** All pages, row by row. */
  list(filter?: BountyFilter, options?: CallOptions): AsyncGenerator<BountySummary>;
  /**
   * One bounty. What is fixed at its creation equals the Hub as the user's own RPC shows it, the roster hashes to its
   * hash, the challenge to its commitment and the record to its own.
   *
   * @throws UntrustedAnswerError when anything does not
   */
  get(bountyId: bigint, options?: CallOptions): Promise<BountyAnswer>;
}

/** The bounty routes of a connection. */
export function bountiesOf(connection: Connection): Bounties {
  const page: Bounties['page'] = async (filter = {}, cursor, options = {}) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...filter, cursor }))
      if (value !== undefined) query.append(name, String(value));
    const target = query.size > 0 ? `/api/bounties?${query}` : '/api/bounties';
    return readJson(await connection.get(target, options), bountyPage, options.signal);
  };
  return {
    page,
    async *list(filter, options) {
      let cursor: string | undefined;
      do {
        const { bounties, next_cursor } = await page(filter, cursor, options);
        yield* bounties;
        // Ids descend from page to page: one that does not would lead in a circle.
        if (next_cursor !== null && cursor !== undefined && BigInt(next_cursor) >= BigInt(cursor)) return;
        cursor = next_cursor ?? undefined;
      } while (cursor !== undefined);
    },
    async get(bountyId, options = {}) {
      const response = await connection.get(`/api/bounties/${bountyId}`, options);
      const answer = await readJson(response, bountyAnswer, options.signal);
      requireSameBounty(answer, await connection.hub.bounty(bountyId), connection.deployment.chainId);
      return answer;
    },
  };
}

function requireSameBounty(answer: BountyAnswer, onChain: HubBounty, chainId: number): void {
  const { bounty, challenge, verification_record: record } = answer;
  const check = contradictions('The API answers another bounty than the Hub holds.');
  check.same('bounty.chain_id', bounty.chain_id, chainId);
  check.same('bounty.bounty_id', bounty.bounty_id, String(onChain.bountyId));
  check.same('bounty.poster', bounty.poster, onChain.poster);
  check.same('bounty.spec_commitment', bounty.spec_commitment, onChain.specCommitment);
  check.same('bounty.escrow.token_address', bounty.escrow.token_address, onChain.token);
  check.same('bounty.escrow.amount', bounty.escrow.amount, String(onChain.amount));
  check.same('bounty.submission_deadline', bounty.submission_deadline, onChain.submissionDeadline);
  check.same('bounty.judging_deadline_at', bounty.judging_deadline_at, onChain.judgingDeadlineAt);
  check.same('bounty.settlement_timeout_at', bounty.settlement_timeout_at, onChain.settlementTimeoutAt);
  check.same('bounty.guardian_roster_hash', bounty.guardian_roster_hash, onChain.guardianRosterHash);
  const roster = bounty.guardian_roster.map(({ name, account, encryption_public_key }) => ({
    name,
    account,
    encryptionPublicKey: encryption_public_key,
  }));
  check.same('the hash of bounty.guardian_roster', rosterHash(roster), onChain.guardianRosterHash);
  if (challenge !== null) {
    const commitment = commitmentOf(new TextEncoder().encode(challenge));
    check.same('the commitment of the challenge', commitment, onChain.specCommitment);
  }
  if (record !== undefined) {
    check.expect(isIntactRecord(record), 'verification_record', 'The record does not hash to itself.');
    check.same('verification_record.chain_id', record.chain_id, chainId);
    check.same('verification_record.bounty_id', record.bounty_id, String(onChain.bountyId));
    check.same('verification_record.outcome', record.outcome, onChain.status);
    check.same('verification_record.winner', record.winner, onChain.winner);
  }
  check.done();
}
