// The calls that create and fund a bounty: one when the allowance suffices, else approve and create as one batch; and for
// an ERC-2612 token what to sign for the single transaction.

import { type Address, getAddress, type Hex } from 'viem';
import type { HubOffer } from '../../adapters/hubIndex/hubState.ts';
import type { Services } from '../../adapters/services.ts';
import type { BountyTerms } from '../../protocol/bountyTerms.ts';
import type { Challenge } from '../../protocol/challenge.ts';
import { approveCall, createBountyCall } from '../../protocol/hubCalls.ts';
import { permitTypedDataJson } from '../../protocol/permit.ts';

/** What a creation is prepared from. */
export interface Creation {
  readonly challenge: Challenge;
  readonly specCommitment: Hex;
  readonly poster: Address;
  readonly offer: HubOffer;
}

/** How long a permit can be used after it was prepared. */
const PERMIT_SECONDS = 3_600;

/** The `prepared` object of the answer. @throws ServiceError 503 when the chain does not answer */
export async function preparedCreation(
  { challenge, specCommitment, poster, offer }: Creation,
  { config, chain, tokens }: Services,
) {
  const { chainId, hubAddress } = config;
  const { tokenAddress, amount } = challenge.reward;
  const terms: BountyTerms = {
    specCommitment,
    token: tokenAddress,
    amount,
    submissionDeadline: challenge.submissionDeadline,
    judgingDeadlineAt: challenge.judgingDeadlineAt,
    settlementTimeoutAt: challenge.settlementTimeoutAt,
    guardianRosterHash: offer.rosterHash,
    maxFeeBps: offer.feeBps,
  };
  const [allowance, permit] = await Promise.all([
    tokens.allowance(tokenAddress, poster, hubAddress),
    tokens.permit(tokenAddress, poster),
  ]);
  const create = createBountyCall(hubAddress, terms);
  const calls = allowance >= amount ? [create] : [approveCall(tokenAddress, hubAddress, amount), create];
  const prepared = { chain_id: chainId, from: getAddress(poster), calls };
  if (permit === undefined) return prepared;
  const deadline = BigInt(chain.head().timestamp + PERMIT_SECONDS);
  const message = { owner: poster, spender: hubAddress, value: amount, nonce: permit.nonce, deadline };
  const typedData = permitTypedDataJson(permit.domain, message);
  return { ...prepared, permit: { typed_data: typedData, function_name: 'createBountyWithPermit' } };
}
