import { saveStandings, standingOf } from '../figures.ts';
import { readPools } from '../read-pools.ts';
import { type FollowedPool, noteStanding } from './followed-pools.ts';
import type { FollowState } from './follow-state.ts';

/** Reads a pool's figures by RPC and saves them. False if RPC has not reached `slot`. */
export async function saveByRpc(
  { deps, prices }: Pick<FollowState, 'deps' | 'prices'>,
  pool: FollowedPool,
  slot: number,
): Promise<boolean> {
  const { cursor } = pool;
  prices.want([cursor.quoteMint]);
  const [open] = await readPools(deps, [cursor]);
  if (open && open.state.slot < slot) return false;
  if (!open) return true;
  const standing = standingOf(cursor, open);
  await saveStandings(deps, [standing], prices.now);
  noteStanding(pool, standing);
  return true;
}
