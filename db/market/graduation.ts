import { sql } from 'kysely';
import type { Db } from '../connect.ts';
import { signed } from './swap-bytes.ts';
import { type StoredSwapFacts, SWAP_FACTS, type SwapFacts, type SwapRecord } from './swaps.ts';

/** A swap that graduates the token if its quote token's price was steady. */
export interface GraduatingSwap extends SwapFacts, Pick<SwapRecord, 'mint' | 'supplyRaw' | 'quoteUsd'> {
  readonly quoteMint: string;
  readonly baseDecimals: number;
}

/** Swaps read per token: more than an attacker makes while the price is moved, since each costs a transaction. */
const SWAPS_EACH = 500;

/**
 * Lists the newest final swaps at or above a cap by their moment's price, of ungraduated tokens whose steady mark
 * reached it.
 * @param mostRaw upper bound of a swap's supply
 */
export async function swapsBeyond(db: Db, capUsd: number, mostRaw: bigint): Promise<GraduatingSwap[]> {
  const { rows } = await sql<StoredSwapFacts & Omit<GraduatingSwap, keyof SwapFacts>>`
    select market.mint, tokens.quote_mint, tokens.decimals as base_decimals, swap.quote_usd,
      least(swap.supply_raw, ${mostRaw}::numeric) as supply_raw, ${SWAP_FACTS}
    from token_markets as market join tokens on tokens.mint = market.mint join pool_cursors as cursor on cursor.mint = market.mint
    cross join lateral (
      select ${SWAP_FACTS}, swap.quote_usd, swap.supply_raw from swaps as swap where pool_number = cursor.number and finalized
        and round(price_usd * least(supply_raw, ${mostRaw}::numeric) / power(10::numeric, tokens.decimals), 10) >= ${capUsd}::numeric
      order by slot desc, slot_order desc, index desc limit ${SWAPS_EACH}
    ) as swap
    where market.status <> 'graduated' and market.high_water_market_cap_usd >= ${capUsd}::numeric`.execute(db);
  return rows.map((row) => signed(row));
}

/** Graduates tokens; no later price reverts it. Returns the mints. */
export async function graduate(db: Db, mints: readonly string[]): Promise<string[]> {
  const rows = await db
    .updateTable('tokenMarkets')
    .set({ status: 'graduated' })
    .where('status', '!=', 'graduated')
    .where('mint', 'in', mints)
    .returning('mint')
    .execute();
  return rows.map(({ mint }) => mint);
}
