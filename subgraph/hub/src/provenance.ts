// Where a row comes from: the block, transaction and log of the event that last set it, written in this one place.

import { Entity, ethereum, Value } from '@graphprotocol/graph-ts';

/** Sets the four fields that every mutable row and every revision has; the caller saves. */
export function setProvenance(row: Entity, event: ethereum.Event): void {
  row.set('blockNumber', Value.fromBigInt(event.block.number));
  row.set('blockHash', Value.fromBytes(event.block.hash));
  row.set('transactionHash', Value.fromBytes(event.transaction.hash));
  row.set('logIndex', Value.fromBigInt(event.logIndex));
}
