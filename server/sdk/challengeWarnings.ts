// Where a bounty and its challenge disagree (design of the challenge: it names chain, Hub, Poster, reward and deadlines).
// Anybody can fund a copy of somebody's challenge with other terms; only the Hub's terms count.

import { parseChallenge } from '../protocol/challenge.ts';
import type { ClientDeployment } from './clientDeployment.ts';
import type { HubBounty } from './hub.ts';

/** What a challenge says for whoever works on it. */
export interface ChallengeReading {
  /** One sentence for each term in which the challenge and the Hub differ; empty when they agree. */
  readonly warnings: readonly string[];
  /** The package limits that the challenge sets; the service's own where it cannot be read. */
  readonly limits: { readonly packedBytes: number; readonly extractedBytes: number } | undefined;
}

/** Compares the exact bytes of a challenge with the bounty as the Hub keeps it. */
export function readChallenge(
  bytes: Uint8Array,
  bounty: HubBounty,
  { chainId, hubAddress }: Pick<ClientDeployment, 'chainId' | 'hubAddress'>,
): ChallengeReading {
  const parsed = parseChallenge(bytes);
  if ('issues' in parsed)
    return { warnings: ['The committed document is no challenge of a known profile.'], limits: undefined };
  const { challenge } = parsed;
  const warnings: string[] = [];
  const compare = (what: string, stated: string | number, actual: string | number): void => {
    if (String(stated).toLowerCase() === String(actual).toLowerCase()) return;
    warnings.push(`The challenge states ${what} ${stated}, the Hub has ${actual}: the Hub's counts.`);
  };
  compare('chain', challenge.chainId, chainId);
  compare('Hub', challenge.hubAddress, hubAddress);
  compare('Poster', challenge.posterAddress, bounty.poster);
  compare('reward token', challenge.reward.tokenAddress, bounty.token);
  compare('reward', String(challenge.reward.amount), String(bounty.amount));
  compare('submission_deadline', challenge.submissionDeadline, bounty.submissionDeadline);
  compare('judging_deadline_at', challenge.judgingDeadlineAt, bounty.judgingDeadlineAt);
  compare('settlement_timeout_at', challenge.settlementTimeoutAt, bounty.settlementTimeoutAt);
  return { warnings, limits: challenge.limits };
}
