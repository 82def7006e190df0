// Where the proven-finalized block is remembered over restarts, per chain and Hub. It only ever rises.

import type { Address, Hex } from 'viem';
import type { FinalizedBlockStore } from '../chain/finality.ts';
import type { Database } from '../state.ts';

/** The store of one chain and Hub; `reset` is the operator's explicit word that what was remembered no longer counts. */
export async function finalizedBlockStore(
  database: Database,
  chainId: number,
  hubAddress: Address,
  reset: boolean,
): Promise<FinalizedBlockStore> {
  const key = [chainId, hubAddress] as const;
  if (reset)
    await database.query('DELETE FROM finalized_block WHERE chain_id = $1 AND hub_address = $2', key);
  return {
    async load() {
      const [row] = await database.query<{ number: string; hash: Hex }>(
        'SELECT number, hash FROM finalized_block WHERE chain_id = $1 AND hub_address = $2',
        key,
      );
      return row && { number: Number(row.number), hash: row.hash };
    },
    async save({ number, hash }) {
      await database.query(
        `INSERT INTO finalized_block (chain_id, hub_address, number, hash) VALUES ($1, $2, $3, $4)
         ON CONFLICT (chain_id, hub_address) DO UPDATE SET number = excluded.number, hash = excluded.hash
         WHERE finalized_block.number < excluded.number`,
        [...key, number, hash],
      );
    },
  };
}
