// A Poster publishes a challenge (specification sections 1 and 4): the service reviews and stores the exact bytes and
// prepares the creation; this end derives the same creation from the same bytes and from the Hub as the user's own RPC
// shows it.

import { type Address, getAddress } from 'viem';
import { commitmentLocator } from '../../protocol/address.ts';
import type { BountyTerms } from '../../protocol/bountyTerms.ts';
import { type Challenge, parseChallenge } from '../../protocol/challenge.ts';
import { commitmentOf } from '../../protocol/commitment.ts';
import { approveCall, createBountyCall } from '../../protocol/hubCalls.ts';
import { feeAmount, netRewardAmount } from '../../protocol/payout.ts';
import { type PublicationAnswer, publicationAnswer } from '../answers/publication.ts';
import type { CallOptions, Connection } from '../connection.ts';
import type { FeePolicy } from '../hub.ts';
import { type CheckedPermit, checkPermit } from '../permit.ts';
import { type CheckedCalls, checkPreparedCalls } from '../preparedCalls.ts';
import { readJson } from '../readAnswer.ts';
import { contradictions, UntrustedAnswerError } from '../untrustedAnswer.ts';

/** A stored challenge, and what funds it. */
export interface Publication {
  readonly answer: PublicationAnswer;
  readonly challenge: Challenge;
  /** The terms as they were derived here. */
  readonly terms: BountyTerms;
  /** `createBounty`, after an `approve` where the allowance is too small. */
  readonly calls: CheckedCalls;
  /** For the single transaction, when the token knows ERC-2612. */
  readonly permit: CheckedPermit | undefined;
}

/** The publication route. */
export interface Publications {
  /**
   * Publish the exact bytes as the Poster who signs. The review may take a minute, and counts against a quota.
   *
   * @throws ApiError with the service's issues; UntrustedAnswerError when anything prepared is not what was derived here,
   *   also when the Hub's roster or fee changed a moment ago: publish again then
   */
  prepare(challenge: Uint8Array<ArrayBuffer>, options?: CallOptions): Promise<Publication>;
}

/** The publication route of a connection. */
export function publicationOf(connection: Connection): Publications {
  const { chainId, hubAddress } = connection.deployment;
  // The service remembers approvals here: the same one twice is a duplicate, whatever came of the first.
  const spent: Set<`0x${string}`> = new Set();
  return {
    async prepare(bytes, options = {}) {
      const poster = getAddress(connection.signer().address);
      const target = `/api/bounty-challenge-specs/prepare-publication?poster_address=${poster}`;
      const request = { method: 'POST', target, body: bytes, contentType: 'text/markdown', spent } as const;
      const answer = await readJson(
        await connection.sign(request, options),
        publicationAnswer,
        options.signal,
      );
      const challenge = challengeOf(bytes);
      const [rosterHash, policy, { timestamp: now }] = await Promise.all([
        connection.hub.currentRosterHash(),
        connection.hub.feePolicy(),
        connection.hub.tip(),
      ]);
      requireSameOffer(answer, bytes, challenge, policy);
      const terms: BountyTerms = {
        specCommitment: commitmentOf(bytes),
        token: challenge.reward.tokenAddress,
        amount: challenge.reward.amount,
        submissionDeadline: challenge.submissionDeadline,
        judgingDeadlineAt: challenge.judgingDeadlineAt,
        settlementTimeoutAt: challenge.settlementTimeoutAt,
        guardianRosterHash: rosterHash,
        maxFeeBps: policy.feeBps,
      };
      const { token, amount } = terms;
      const create = createBountyCall(hubAddress, terms);
      // Whether the allowance suffices is for the chain to say when the calls are tried; an approval is exact.
      const both = [approveCall(token, hubAddress, amount), create];
      const derived = answer.prepared.calls.length === 1 ? [create] : both;
      const calls = checkPreparedCalls(answer.prepared, { chainId, from: poster, calls: derived });
      const purpose = { chainId, token, owner: poster as Address, spender: hubAddress, amount, now };
      const offered = answer.prepared.permit;
      const permit = offered && (await checkPermit(offered, purpose, connection.chain));
      return { answer, challenge, terms, calls, permit };
    },
  };
}

function requireSameOffer(
  answer: PublicationAnswer,
  bytes: Uint8Array,
  { reward }: Challenge,
  { feeBps, treasury }: FeePolicy,
): void {
  const { fee_policy: policy } = answer;
  const commitment = commitmentOf(bytes);
  const check = contradictions('The API offers something else than the challenge and the Hub say.');
  check.same('spec_commitment', answer.spec_commitment, commitment);
  check.same('byte_length', answer.byte_length, bytes.length);
  check.same('storage_locator', answer.storage_locator, commitmentLocator(commitment));
  check.same('fee_policy.fee_bps', policy.fee_bps, feeBps);
  check.same('fee_policy.treasury', policy.treasury, treasury);
  check.same('fee_policy.fee_amount', policy.fee_amount, String(feeAmount(reward.amount, feeBps)));
  const net = String(netRewardAmount(reward.amount, feeBps));
  check.same('fee_policy.net_reward_amount', policy.net_reward_amount, net);
  check.done();
}

function challengeOf(bytes: Uint8Array): Challenge {
  const parsed = parseChallenge(bytes);
  if ('challenge' in parsed) return parsed.challenge;
  throw new UntrustedAnswerError('The API takes for a challenge what is none.', parsed.issues);
}
