// Whether the subgraph is the one that the configuration means, asked once at the start: the right deployment, of the right
// Hub. An index that does not answer yet is no reason to refuse: `/readyz` and every read say it.

import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem';
import { hubAbi } from '../../../abis/hubAbi.ts';
import { ServiceError } from '../../protocol/errors.ts';
import type { Chain } from '../chain.ts';
import type { Logger } from '../log.ts';
import { type GraphqlRequest, graphqlEndpoint } from './graphql.ts';

/** What is compared. */
export interface IndexExpectation {
  readonly url: string;
  readonly deploymentId: string;
  readonly hubAddress: Address;
  readonly chain: Chain;
  readonly log: Logger;
}

const QUERY =
  '{ _meta { deployment hasIndexingErrors block { number } } hubState(id: "hub") { currentRoster { id } }' +
  ' bounties(first: 1, orderBy: number) { id createdAtBlock } }';
const PRUNED = /only has data starting at block/;
const TRIES = 3;
const PAUSE_MS = 500;

interface IndexAnswer {
  readonly _meta: { readonly deployment: string; readonly block: { readonly number: number } };
  readonly hubState: { readonly currentRoster: { readonly id: Hex } | null } | null;
  readonly bounties: readonly { readonly id: string; readonly createdAtBlock: string }[];
}

/** @throws Error in one line when the index is another deployment's or another Hub's */
export async function checkIndex({
  url,
  deploymentId,
  hubAddress,
  chain,
  log,
}: IndexExpectation): Promise<void> {
  const request = graphqlEndpoint(url);
  for (let tried = 1; ; tried += 1) {
    let answer: IndexAnswer;
    let roster: Hex;
    try {
      answer = (await request(QUERY, {})) as unknown as IndexAnswer;
      const { deployment } = answer._meta;
      if (deployment !== deploymentId) {
        throw new ConfiguredOtherwise(
          `SUBGRAPH_URL answers for deployment ${deployment}, but SUBGRAPH_DEPLOYMENT_ID is ${deploymentId}.`,
        );
      }
      const data = encodeFunctionData({ abi: hubAbi, functionName: 'currentRosterHash' });
      const block = numberToHex(answer._meta.block.number);
      roster = (await chain.ask((endpoint) =>
        endpoint.request('eth_call', [{ to: hubAddress, data }, block]),
      )) as Hex;
    } catch (err) {
      if (err instanceof ConfiguredOtherwise) throw err;
      log.warn({ err }, 'the index could not be checked at the start; it is not served before it answers');
      return;
    }
    const indexed = answer.hubState?.currentRoster?.id ?? `0x${'00'.repeat(32)}`;
    if (indexed.toLowerCase() === roster.toLowerCase()) return requireHistory(request, answer);
    // A block may have been replaced between the two answers.
    if (tried === TRIES)
      throw new ConfiguredOtherwise(
        `The subgraph at SUBGRAPH_URL indexes another Hub than HUB_ADDRESS ${hubAddress}.`,
      );
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Reads are pinned to past blocks: an index that has forgotten them answers nothing. */
async function requireHistory(request: GraphqlRequest, { bounties: [first] }: IndexAnswer): Promise<void> {
  if (first === undefined) return;
  const query = 'query ($id: ID!, $at: Int!) { bounty(id: $id, block: {number: $at}) { id } }';
  await request(query, { id: first.id, at: Number(first.createdAtBlock) }).catch((error: unknown) => {
    const cause = error instanceof ServiceError ? JSON.stringify(error.details.cause ?? '') : '';
    if (!PRUNED.test(cause)) return;
    throw new ConfiguredOtherwise(
      'The subgraph at SUBGRAPH_URL has pruned its history: deploy it with `prune: never`.',
    );
  });
}

class ConfiguredOtherwise extends Error {}
