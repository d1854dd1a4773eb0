import { readOpenPools } from '../../../chain/market/pool-accounts.ts';
import { saveFigures } from '../figures.ts';
import type { FollowedPool } from './followed-pools.ts';
import type { Following } from './following.ts';

/** Saves the figures of a pool as RPC has it. Answers whether that has come as far as a slot. */
export async function saveByRpc(
  { deps, prices }: Pick<Following, 'deps' | 'prices'>,
  cursor: FollowedPool['cursor'],
  slot: number,
): Promise<boolean> {
  prices.want([cursor.quoteMint]);
  const [open] = await readOpenPools(deps.exchange, deps.rpc.connection, [cursor]);
  if (open && open.state.slot < slot) return false;
  if (open) await saveFigures(deps, [{ cursor, open, prices: prices.now }], prices.now);
  return true;
}
