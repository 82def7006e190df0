// What the Hub offers to new bounties: current roster, fee and treasury, the same at P and at the index's head.

import type { Address, Hex } from 'viem';
import { ServiceError } from '../../protocol/errors.ts';
import type { Snapshot } from '../hubIndex.ts';
import { type FactSources, notFinalYet, row } from './bounty.ts';
import { pinnedQuery } from './pinnedQuery.ts';

/** The terms that a bounty created now would carry. */
export interface HubOffer {
  readonly rosterHash: Hex;
  readonly feeBps: number;
  readonly treasury: Address;
}

interface Row {
  readonly currentRoster: { readonly id: Hex } | null;
  readonly feeBps: number;
  readonly treasury: Address;
  readonly blockNumber: string;
}

const text = { type: 'string' };
const ROW = {
  anyOf: [
    row({
      currentRoster: { anyOf: [row({ id: text }), { type: 'null' }] },
      feeBps: { type: 'integer' },
      treasury: text,
      blockNumber: text,
    }),
    { type: 'null' },
  ],
};
const FIELDS = '{ currentRoster { id } feeBps treasury blockNumber }';

const HUB_STATE = pinnedQuery<{ hubState: Row | null; atHead: Row | null }>({
  name: 'HubState',
  parameters: '',
  fields: `hubState(id: "hub", block: {number: $pin}) ${FIELDS} atHead: hubState(id: "hub") ${FIELDS}`,
  schema: row({ hubState: ROW, atHead: ROW }),
});

/**
 * The offer.
 *
 * @throws ServiceError 503 while it is changing, or before the Hub's first roster is final
 */
export async function readHubOffer(sources: FactSources, at: Snapshot): Promise<HubOffer> {
  const { hubState, atHead } = (await sources.hubIndex.readWithHead(HUB_STATE, {}, at)).result;
  const same =
    hubState?.currentRoster?.id === atHead?.currentRoster?.id &&
    hubState?.feeBps === atHead?.feeBps &&
    hubState?.treasury === atHead?.treasury;
  // A call that was prepared for the old terms would be reverted by the new ones.
  if (!same)
    throw notFinalYet(Number(atHead?.blockNumber ?? at.indexHead.number), at, sources.blockTimeSeconds);
  if (!hubState?.currentRoster) {
    throw new ServiceError('bounty_chain_state_unavailable', {
      message: 'The Hub has no roster of Guardians yet.',
      retryAfterSeconds: 60,
    });
  }
  return { rosterHash: hubState.currentRoster.id, feeBps: hubState.feeBps, treasury: hubState.treasury };
}
