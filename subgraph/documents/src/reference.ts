// The first event that names a commitment starts the search for its bytes; later ones change nothing.

import { Bytes, DataSourceContext, DataSourceTemplate, ethereum } from '@graphprotocol/graph-ts';
import { commitmentCid } from '../../address/src/commitmentCid';
import { DocumentReference } from '../generated/schema';
import { referenceKey } from './id';

export const CHALLENGE = 'challenge';
export const REPORT = 'report';

/** Starts the search for the bytes of a commitment, unless it is on already. */
export function seek(kind: string, template: string, commitment: Bytes, event: ethereum.Event): void {
  const id = referenceKey(kind, commitment);
  if (DocumentReference.load(id) != null) return;
  const cid = commitmentCid(commitment);
  const reference = new DocumentReference(id);
  reference.kind = kind;
  reference.commitment = commitment;
  reference.cid = cid;
  reference.blockNumber = event.block.number;
  reference.save();
  const context = new DataSourceContext();
  context.setBytes('commitment', commitment);
  DataSourceTemplate.createWithContext(template, [cid], context);
}
