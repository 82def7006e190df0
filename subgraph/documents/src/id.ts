// Every entity id of this subgraph that is made of more than one value, each with an example.

import { Bytes } from '@graphprotocol/graph-ts';

/** @example "challenge-0x8a88…c0c1" */
export function referenceKey(kind: string, commitment: Bytes): string {
  return kind + '-' + commitment.toHexString();
}
