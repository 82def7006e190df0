// POST /api/bounty-challenge-specs/prepare-publication: in the specification's order: frontmatter contract, readiness
// review, exact bytes stored and read back, commitment, prepared arguments. The Poster's own wallet sends them.

import type { Address, Hex } from 'viem';
import { type HubOffer, readHubOffer } from '../../adapters/hubIndex/hubState.ts';
import type { Services } from '../../adapters/services.ts';
import type { ReviewClaim } from '../../adapters/state/reviewLedger.ts';
import { declaredPoster } from '../../auth/policies/declaredPoster.ts';
import { asOf } from '../../http/asOf.ts';
import { address } from '../../http/parameter.ts';
import { route } from '../../http/route.ts';
import { checksumAddress } from '../../protocol/accountAddress.ts';
import { commitmentLocator } from '../../protocol/address.ts';
import {
  type Challenge,
  type ChallengeTerms,
  challengeContextIssues,
  parseChallenge,
  readableChallengeTerms,
} from '../../protocol/challenge.ts';
import { commitmentOf } from '../../protocol/commitment.ts';
import { type Issue, ServiceError } from '../../protocol/errors.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { feeAmount, netRewardAmount } from '../../protocol/payout.ts';
import { preparedCreation } from './preparedCreation.ts';
import { PUBLICATION_SCHEMA } from './publicationSchema.ts';

/** A challenge, or what is wrong with it and what can be read of it all the same. */
type Document =
  | { readonly challenge: Challenge }
  | { readonly issues: readonly Issue[]; readonly terms: ChallengeTerms };

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
    // Its issues are told by the handler, together with those of place and time: all at once.
    parse(bytes: Uint8Array): { value: Document } {
      const parsed = parseChallenge(bytes);
      return { value: 'challenge' in parsed ? parsed : { ...parsed, terms: readableChallengeTerms(bytes) } };
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
  async handle({ query, body: document, bytes, approval }, services) {
    const poster = query.poster_address;
    const challenge = await soundChallenge(document, poster, services);
    // Whatever can fail without a review is tried before one is spent.
    const at = await services.hubIndex.snapshot();
    const offer = await readHubOffer(services.facts, at);
    const claim = { digest: approval!.digest, signer: poster };
    return reviewSlot(claim, services, async () => {
      await review(bytes, services);
      const specCommitment = await store(bytes, services);
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
    });
  },
});

/** The challenge, when everything about it is right here and now. @throws ServiceError 400 with all issues, 503 */
async function soundChallenge(document: Document, poster: Address, services: Services): Promise<Challenge> {
  if ('challenge' in document) {
    const { challenge } = document;
    const issues = [
      ...contextIssues(challenge, poster, services),
      ...(await tokenIssues(challenge.reward.tokenAddress, services)),
    ];
    if (issues.length === 0) return challenge;
    throw new ServiceError('invalid_challenge_frontmatter', { issues });
  }
  const told = new Set(document.issues.map(({ path }) => path));
  const further = contextIssues(document.terms, poster, services).filter(({ path }) => !told.has(path));
  throw new ServiceError('invalid_challenge_frontmatter', { issues: [...document.issues, ...further] });
}

/** What deployment, Poster and the chain's clock have against it. @throws ServiceError 503 */
function contextIssues(terms: ChallengeTerms, posterAddress: Address, { config, chain }: Services): Issue[] {
  return challengeContextIssues(terms, {
    chainId: config.chainId,
    hubAddress: config.hubAddress,
    posterAddress,
    chainNow: chain.head().timestamp,
    minimumGapSeconds: 2 * config.finalityLagSeconds,
  });
}

async function tokenIssues(token: Address, { tokens }: Services): Promise<Issue[]> {
  if (await tokens.hasCode(token)) return [];
  const message = 'Must be a token: there is no contract at this address.';
  return [{ path: 'frontmatter.reward.token_address', message }];
}

const GIVES_BACK: readonly number[] = [502, 503];

/**
 * Do the rest on one slot of the ledger. A provider's or a neighbour's failure is not the Poster's: the slot comes back,
 * the approval stays used.
 *
 * @throws ServiceError 409, 429, 503, and whatever `work` throws
 */
async function reviewSlot<T>(
  claim: ReviewClaim,
  { reviewer, reviewLedger, log }: Services,
  work: () => Promise<T>,
): Promise<T> {
  if (!reviewer.configured) throw new ServiceError('orchestrator_unconfigured');
  await reviewLedger.claim(claim);
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && GIVES_BACK.includes(error.status)) {
      await reviewLedger.giveBack(claim).catch((err: unknown) => {
        log.warn({ err }, 'a slot of the review ledger could not be given back');
      });
    }
    throw error;
  }
}

/** @throws ServiceError 400 `bounty_challenge_not_ready`, 500, 502 */
async function review(bytes: Uint8Array, { reviewer }: Services): Promise<void> {
  const { ready, issues } = await reviewer.review(new TextDecoder().decode(bytes));
  if (!ready) throw new ServiceError('bounty_challenge_not_ready', { issues });
}

/** Store the exact bytes and read them back. @throws ServiceError 500 when they come back different, 503 */
async function store(bytes: Uint8Array, { byteStore, metrics }: Services): Promise<Hex> {
  const { commitment } = await byteStore.putDocument(bytes);
  const kept = await byteStore.getDocument(commitment);
  if (commitment !== commitmentOf(bytes) || kept.state === 'mismatch') {
    metrics.storageMismatches.inc();
    throw new ServiceError('bounty_challenge_content_mismatch');
  }
  if (kept.state === 'missing') throw new ServiceError('storage_unavailable', { retryAfterSeconds: 5 });
  return commitment;
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
