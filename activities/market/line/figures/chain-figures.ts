import { quoteAfter } from '../../../../chain/market/pool-swaps.ts';
import * as figures from '../../figures.ts';
import type { PoolStanding } from '../../figures.ts';
import { readPools } from '../../read-pools.ts';
import type { FollowedPool } from '../followed-pools.ts';
import type { Line } from '../line.ts';

/** Returns a pool's figures after its last ordered transaction; null if they are unknown or older than the saved ones. */
export function standingOf({ ordered: { tail }, written }: FollowedPool, supplyRaw: bigint): PoolStanding | null {
  const { cursor } = written;
  const last = tail.linked.at(-1);
  const traded = tail.linked.findLast(({ swaps }) => swaps.length > 0);
  const priceQuote = traded?.swaps.at(-1)?.priceQuote ?? cursor.priceQuote;
  const quoteVaultRaw = quoteAfter(tail.linked, cursor.quoteVaultRaw);
  if (!last || priceQuote === null || quoteVaultRaw === null) return null;
  // A reconnected stream repeats transactions; figures must not become older.
  if (BigInt(last.slot) < (cursor.stateSlot ?? 0n)) return null;
  return { cursor, priceQuote, slot: last.slot, supplyRaw, baseVaultRaw: tail.rawAt(), quoteVaultRaw };
}

/** Reads a pool's figures by RPC and saves them. False if RPC has not reached `slot`. */
export async function saveByRpc({ deps, prices }: Line, { written }: FollowedPool, slot: number): Promise<boolean> {
  const { cursor } = written;
  prices.want([cursor.quoteMint]);
  const [open] = await readPools(deps, [cursor]);
  if (open && open.state.slot < slot) return false;
  if (!open) return true;
  const standing = figures.standingOf(cursor, open);
  await figures.saveStandings(deps, [standing], prices.now);
  written.noteStanding(standing);
  return true;
}
