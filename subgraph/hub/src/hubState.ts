// What the Hub offers to new bounties now: one row.

import { Address, BigInt, ethereum } from '@graphprotocol/graph-ts';
import { BountyCreated, FeePolicyUpdated, RosterPublished } from '../generated/Hub/Hub';
import { HubState } from '../generated/schema';
import { HUB_STATE_ID } from './id';
import { setProvenance } from './provenance';

/** The next bounty pins this roster. */
export function setCurrentRoster(event: RosterPublished): void {
  const state = loadHubState();
  state.currentRoster = event.params.rosterHash;
  saveHubState(state, event);
}

/** The next bounty carries this fee and treasury. */
export function setFeePolicy(event: FeePolicyUpdated): void {
  const state = loadHubState();
  state.feeBps = event.params.feeBps;
  state.treasury = event.params.treasury;
  saveHubState(state, event);
}

/** One bounty more. */
export function countBounty(event: BountyCreated): void {
  const state = loadHubState();
  state.bountyCount = state.bountyCount.plus(BigInt.fromI32(1));
  saveHubState(state, event);
}

function loadHubState(): HubState {
  let state = HubState.load(HUB_STATE_ID);
  if (state == null) {
    state = new HubState(HUB_STATE_ID);
    state.feeBps = 0;
    state.treasury = Address.zero();
    state.bountyCount = BigInt.zero();
  }
  return state;
}

function saveHubState(state: HubState, event: ethereum.Event): void {
  setProvenance(state, event);
  state.save();
}
