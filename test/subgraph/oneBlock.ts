// Several transactions in one block of a chain that otherwise mines each at once.

import type { Hex, TransactionReceipt } from 'viem';
import { localRpc } from '../../server/local/localRpc.ts';
import type { LocalStack } from '../../server/local/stack.ts';
import type { Actors } from '../actors/actors.ts';

/**
 * Sends in the given order, mines once and returns the receipts; throws when one was reverted or left out.
 * Estimates do not see what waits in front: each call names its gas.
 */
export async function inOneBlock(
  stack: LocalStack,
  client: Actors['client'],
  sends: readonly (() => Promise<Hex>)[],
): Promise<TransactionReceipt[]> {
  const { call } = localRpc(stack.rpcUrl);
  const hashes: Hex[] = [];
  await call('evm_setAutomine', [false]);
  try {
    for (const send of sends) hashes.push(await send());
    await call('anvil_mine', ['0x1']);
  } finally {
    await call('evm_setAutomine', [true]);
  }
  const receipts = await Promise.all(hashes.map((hash) => client.getTransactionReceipt({ hash })));
  if (
    receipts.some(
      ({ status, blockNumber }) => status !== 'success' || blockNumber !== receipts[0]?.blockNumber,
    )
  ) {
    throw new Error('Not all transactions succeeded in one block');
  }
  return receipts;
}
