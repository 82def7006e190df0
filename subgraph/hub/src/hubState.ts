// What the Hub offers to new bounties now.

import { Address, BigInt, ethereum } from '@graphprotocol/graph-ts';
import { BountyCreated, FeePolicyUpdated, RosterPublished } from '../generated/Hub/Hub';
import { HubState } from '../generated/schema';
import { HUB_STATE_ID } from './id';

function loadHubState(event: ethereum.Event): HubState {
  let state = HubState.load(HUB_STATE_ID);
  if (state == null) {
    state = new HubState(HUB_STATE_ID);
    state.feeBps = 0;
    state.treasury = Address.zero();
    state.bountyCount = BigInt.zero();
  }
  state.blockNumber = event.block.number;
  state.blockHash = event.block.hash;
  state.transactionHash = event.transaction.hash;
  state.logIndex = event.logIndex;
  return state;
}

export function setCurrentRoster(event: RosterPublished): void {
  const state = loadHubState(event);
  state.currentRoster = event.params.rosterHash;
  state.save();
}

export function setFeePolicy(event: FeePolicyUpdated): void {
  const state = loadHubState(event);
  state.feeBps = event.params.feeBps;
  state.treasury = event.params.treasury;
  state.save();
}

export function countBounty(event: BountyCreated): void {
  const state = loadHubState(event);
  state.bountyCount = state.bountyCount.plus(BigInt.fromI32(1));
  state.save();
}
