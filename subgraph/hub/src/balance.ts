// What accounts may claim, in each token.

import { Address, BigInt, ethereum } from '@graphprotocol/graph-ts';
import { BalanceClaimed, BalanceQueued } from '../generated/Hub/Hub';
import { QueuedBalance } from '../generated/schema';
import { queuedBalanceKey } from './id';
import { setProvenance } from './provenance';

/** A bounty's end gave the account something to claim. */
export function addToBalance(event: BalanceQueued): void {
  const balance = loadBalance(event.params.account, event.params.token);
  balance.amount = balance.amount.plus(event.params.amount);
  balance.totalQueued = balance.totalQueued.plus(event.params.amount);
  saveBalance(balance, event);
}

/** The account took it. */
export function takeBalance(event: BalanceClaimed): void {
  const balance = loadBalance(event.params.account, event.params.token);
  balance.amount = balance.amount.minus(event.params.amount);
  balance.totalClaimed = balance.totalClaimed.plus(event.params.amount);
  saveBalance(balance, event);
}

function loadBalance(account: Address, token: Address): QueuedBalance {
  const id = queuedBalanceKey(account, token);
  let balance = QueuedBalance.load(id);
  if (balance == null) {
    balance = new QueuedBalance(id);
    balance.account = account;
    balance.token = token;
    balance.amount = BigInt.zero();
    balance.totalQueued = BigInt.zero();
    balance.totalClaimed = BigInt.zero();
  }
  return balance;
}

function saveBalance(balance: QueuedBalance, event: ethereum.Event): void {
  setProvenance(balance, event);
  balance.save();
}
