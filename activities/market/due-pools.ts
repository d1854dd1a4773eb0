import { type FinalStand, readFinalStands } from '../../chain/market/final-stands.ts';
import type { MarketPool } from '../../chain/market/pool-swaps.ts';
import type { IndexedPool } from '../../db/market/pool-cursors.ts';
import * as swaps from '../../db/market/swaps.ts';
import type { SwapRecord } from '../../db/market/swaps.ts';
import { createAgreedSlot } from './agreed-slot.ts';
import type { MarketDeps } from './deps.ts';
import { marketPoolOf } from '../../chain/market/agreed-swap.ts';

export interface DuePool {
  readonly cursor: IndexedPool;
  readonly market: MarketPool;
  /** Finalized. */
  readonly stand: FinalStand & { readonly supplyRaw: bigint };
  /** Provisional swaps. */
  readonly rows: readonly SwapRecord[];
}

export interface DuePools {
  readonly slot: number;
  /** Asks a quorum for its slot; `slot` is one endpoint's. */
  readonly agreedSlot: () => Promise<number>;
  readonly pools: readonly DuePool[];
}

/** Skips unknown vaults, and launches that are not final (no mint yet). */
export async function readDuePools({ rpc, db }: MarketDeps, cursors: readonly IndexedPool[]): Promise<DuePools> {
  const agreed = createAgreedSlot(rpc);
  const known = cursors.flatMap((cursor) => {
    const market = marketPoolOf(cursor);
    return market ? [{ cursor, market }] : [];
  });
  const addresses = known.map(({ cursor, market }) => ({ ...market, mint: cursor.mint }));
  const { slot, stands } = await readFinalStands(rpc.connection, addresses);
  const pools = known.map(({ cursor }) => cursor.pool);
  const rows = Map.groupBy(await swaps.provisionalOf(db, pools), ({ pool }) => pool);
  const due = known.flatMap((pool, index): DuePool[] => {
    const stand = stands[index];
    if (stand === undefined || stand.supplyRaw === null) return [];
    const { supplyRaw, ...vaults } = stand;
    return [{ ...pool, stand: { ...vaults, supplyRaw }, rows: rows.get(pool.cursor.pool) ?? [] }];
  });
  return { slot, agreedSlot: () => agreed(slot), pools: due };
}
