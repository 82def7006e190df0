// POST /api/bounty-challenge-specs/prepare-publication: in the specification's order: frontmatter contract, readiness
// review, exact bytes stored and read back, commitment, prepared arguments. The Poster's own wallet sends them.

import type { Address } from 'viem';
import { type HubOffer, readHubOffer } from '../../adapters/hubIndex/hubState.ts';
import type { Services } from '../../adapters/services.ts';
import type { ReviewClaim } from '../../adapters/state/reviewLedger.ts';
import { declaredPoster } from '../../auth/policies/declaredPoster.ts';
import { asOf } from '../../http/asOf.ts';
import { address } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { checksumAddress } from '../../protocol/accountAddress.ts';
import { commitmentLocator } from '../../protocol/address.ts';
import { type Challenge, challengeContextIssues, parseChallenge } from '../../protocol/challenge.ts';
import { commitmentOf } from '../../protocol/commitment.ts';
import { type ErrorCode, type Issue, ServiceError } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { feeAmount, netRewardAmount } from '../../protocol/payout.ts';
import { preparedCreation } from './preparedCreation.ts';
import { PUBLICATION_SCHEMA } from './publicationSchema.ts';

/** The route. */
export const preparePublication = route({
  method: 'POST',
  route: '/api/bounty-challenge-specs/prepare-publication',
  operationId: 'preparePublication',
  tag: 'Publication',
  summary: 'Review and store a challenge, and prepare the bounty creation.',
  path: {},
  query: { poster_address: address('The Poster, who signs.') },
  invalid: 'invalid_publication_request',
  body: {
    kind: 'markdown',
    maxBytes: LIMITS.documentBytes,
    parse(bytes: Uint8Array): { value: Challenge } | { issues: readonly Issue[]; code: ErrorCode } {
      const parsed = parseChallenge(bytes);
      if ('challenge' in parsed) return { value: parsed.challenge };
      return { issues: parsed.issues, code: 'invalid_challenge_frontmatter' };
    },
  },
  policy: declaredPoster,
  limited: true,
  success: {
    200: {
      description: 'The commitment, the fee policy and the prepared calls.',
      contentType: 'application/json',
      schema: PUBLICATION_SCHEMA,
    },
  },
  errors: [
    'invalid_challenge_frontmatter',
    'bounty_challenge_not_ready',
    'publication_review_unavailable',
    'publication_review_limit_reached',
    'bounty_challenge_content_mismatch',
    'invalid_orchestrator_output',
    'orchestrator_provider_error',
    'orchestrator_unconfigured',
    'storage_unavailable',
    'bounty_chain_state_unavailable',
    'bounty_projection_unavailable',
  ],
  async handle({ query, body: challenge, bytes, approval }, services) {
    const poster = query.poster_address;
    const issues = await contextIssues(challenge, poster, services);
    if (issues.length > 0) throw new ServiceError('invalid_challenge_frontmatter', { issues });
    // Whatever can fail without a review is tried before one is spent.
    const at = await services.hubIndex.snapshot();
    const offer = await readHubOffer(services.facts, at);
    await review({ digest: approval!.digest, signer: poster }, bytes, services);
    const specCommitment = await store(bytes, { digest: approval!.digest, signer: poster }, services);
    return {
      status: 200,
      json: {
        spec_commitment: specCommitment,
        byte_length: bytes.length,
        storage_locator: commitmentLocator(specCommitment),
        guardian_roster_hash: offer.rosterHash,
        fee_policy: feePolicy(challenge, offer),
        prepared: await preparedCreation({ challenge, specCommitment, poster, offer }, services),
        as_of: asOf(at),
      },
    };
  },
});

/** The challenge against deployment, Poster, the chain's clock and the token. @throws ServiceError 503 */
async function contextIssues(
  challenge: Challenge,
  posterAddress: Address,
  { config, chain, tokens }: Services,
): Promise<Issue[]> {
  const issues = challengeContextIssues(challenge, {
    chainId: config.chainId,
    hubAddress: config.hubAddress,
    posterAddress,
    chainNow: chain.head().timestamp,
    minimumGapSeconds: 2 * config.finalityLagSeconds,
  });
  if (await tokens.hasCode(challenge.reward.tokenAddress)) return issues;
  const message = 'Must be a token: there is no contract at this address.';
  return [...issues, { path: 'frontmatter.reward.token_address', message }];
}

const GIVES_BACK: readonly number[] = [502, 503];

/** Run the review on a slot of the ledger. @throws ServiceError 400, 409, 429, 500, 502, 503 */
async function review(
  claim: ReviewClaim,
  bytes: Uint8Array,
  { reviewer, reviewLedger }: Services,
): Promise<void> {
  if (!reviewer.configured) throw new ServiceError('orchestrator_unconfigured');
  await reviewLedger.claim(claim);
  const outcome = await givingBack(claim, reviewLedger, () =>
    reviewer.review(new TextDecoder().decode(bytes)),
  );
  if (!outcome.ready) throw new ServiceError('bounty_challenge_not_ready', { issues: outcome.issues });
}

/** Store the exact bytes and read them back. @throws ServiceError 500 when they come back different, 503 */
async function store(bytes: Uint8Array, claim: ReviewClaim, { byteStore, reviewLedger, metrics }: Services) {
  return givingBack(claim, reviewLedger, async () => {
    const { commitment } = await byteStore.putDocument(bytes);
    const kept = await byteStore.getDocument(commitment);
    if (commitment !== commitmentOf(bytes) || kept.state === 'mismatch') {
      metrics.storageMismatches.inc();
      throw new ServiceError('bounty_challenge_content_mismatch');
    }
    if (kept.state === 'missing') throw new ServiceError('storage_unavailable', { retryAfterSeconds: 5 });
    return commitment;
  });
}

/** A provider's or a neighbour's failure is not the Poster's: the slot comes back, the approval stays used. */
async function givingBack<T>(
  claim: ReviewClaim,
  reviewLedger: Services['reviewLedger'],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && GIVES_BACK.includes(error.status))
      await reviewLedger.giveBack(claim);
    throw error;
  }
}

function feePolicy({ reward }: Challenge, { feeBps, treasury }: HubOffer) {
  return {
    fee_bps: feeBps,
    treasury: checksumAddress(treasury),
    charged_on: 'award',
    fee_amount: String(feeAmount(reward.amount, feeBps)),
    net_reward_amount: String(netRewardAmount(reward.amount, feeBps)),
  };
}
