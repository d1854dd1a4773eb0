import { sql } from 'kysely';
import type { Db } from '../connect.ts';
import { signed } from './swap-bytes.ts';
import { type StoredSwapFacts, SWAP_FACTS, type SwapFacts, type SwapRecord } from './swaps.ts';

/** A final swap by which a token may graduate. */
export type GraduatingSwap = SwapFacts & Pick<SwapRecord, 'mint'>;

/** Swaps of a token that are looked at. */
const SWAPS_EACH = 20;

/**
 * The newest final swaps that reached a market cap in USD, of the tokens that have not graduated and whose high water mark says that one
 * has. `mostRaw`: no swap counts more raw units of supply than ever were.
 */
export async function swapsBeyond(db: Db, capUsd: number, mostRaw: bigint): Promise<GraduatingSwap[]> {
  const { rows } = await sql<StoredSwapFacts & Pick<GraduatingSwap, 'mint'>>`
    select market.mint, ${SWAP_FACTS}
    from token_markets as market join tokens on tokens.mint = market.mint join pool_cursors as cursor on cursor.mint = market.mint
    cross join lateral (
      select ${SWAP_FACTS} from swaps as swap where pool_number = cursor.number and finalized
        and round(price_usd * least(supply_raw, ${mostRaw}::numeric) / power(10::numeric, tokens.decimals), 10) >= ${capUsd}::numeric
      order by slot desc, slot_order desc, index desc limit ${SWAPS_EACH}
    ) as swap
    where market.status <> 'graduated' and market.high_water_market_cap_usd >= ${capUsd}::numeric`.execute(db);
  return rows.map((row) => signed(row));
}

/** Graduates these tokens, for ever: no later price leads back. Answers the mints that graduated now. */
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
