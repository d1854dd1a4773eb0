/** Peaks that rise without a trade, because a quote token became dearer. */

import { type RawBuilder, sql } from 'kysely';
import type { SteadySwap } from '../../domain/market/figures.ts';
import type { SpendableUsd } from '../../domain/trading/spendable-price.ts';
import type { Db } from '../connect.ts';
import type { GraduationStatus } from '../../domain/market/graduation.ts';
import { OPENING_PRICES } from './opening-price.ts';
import { signed } from './swap-bytes.ts';
import { type StoredSwapFacts, SWAP_FACTS, type SwapFacts } from './swaps.ts';

export interface SteadyQuote {
  readonly mint: string;
  readonly usd: SpendableUsd;
}

/** A token whose cap by its quote token's steady price is above its peak. */
export interface RisenToken extends SteadySwap {
  readonly mint: string;
  readonly status: GraduationStatus;
  readonly baseDecimals: number;
  /** The last final swap, which set the price; null if the token was never traded. */
  readonly swap: SwapFacts | null;
}

export interface RisenPage {
  readonly tokens: readonly RisenToken[];
  /** Null at the end. */
  readonly next: string | null;
}

export interface PeakPage {
  readonly quotes: readonly SteadyQuote[];
  /** A lower rise than `LEAST_RISE` counts where it reaches this cap. */
  readonly graduationUsd: number;
  readonly mostRaw: bigint;
  readonly limit: number;
  /** To continue after; empty to start. */
  readonly after: string;
}

/** Least rise of a peak that is written: 0.1 %, as of a quote price that changes figures. */
const LEAST_RISE = '1.001';

/**
 * Lists risen tokens by mint, one statement a page. The lowest of the shown price and the last final swap's counts, or
 * the opening price of a token without any swap; of supplies too: no unfinal trade and no single endpoint raises a peak.
 */
export async function risenTokens(
  db: Db,
  { quotes, graduationUsd, mostRaw, limit, after }: PeakPage,
): Promise<RisenPage> {
  const steady = sql`unnest(${quotes.map(({ mint }) => mint)}::text[], ${quotes.map(({ usd }) => usd)}::numeric[]) as steady (mint, usd)`;
  const { rows } = await sql<RisenRow>`
    select risen.mint, risen.status, risen.base_decimals, risen.steady_usd,
      coalesce(last.price_quote, ${OPENING_PRICES.quote}) as base_price_quote,
      least(risen.price_quote, last.price_quote, case when last.slot is null then ${OPENING_PRICES.quote} end) as lowest_quote,
      least(risen.supply_raw, last.supply_raw) as supply_raw, last.signature_bytes, last.index, last.slot, last.block_time, last.side, last.base_raw, last.quote_raw, last.price_quote
    from (
      select market.mint, market.status, market.price_quote, tokens.decimals as base_decimals, tokens.quote_id, cursor.number,
        steady.usd as steady_usd, least(cursor.supply_raw, ${mostRaw}::numeric) as supply_raw
      from token_markets as market join ${steady} on steady.mint = market.quote_mint
      join pool_cursors as cursor on cursor.mint = market.mint join tokens on tokens.mint = market.mint
      cross join lateral (select market.price_quote * steady.usd * least(cursor.supply_raw, ${mostRaw}::numeric)
        * ('1e-' || tokens.decimals)::numeric as usd) as cap
      where market.mint > ${after} and tokens.withdrawn_at is null
        and (cap.usd > coalesce(market.high_water_market_cap_usd, 0) * ${LEAST_RISE}::numeric
          or cap.usd >= ${graduationUsd}::numeric and market.high_water_market_cap_usd < ${graduationUsd}::numeric)
      order by market.mint limit ${limit}
    ) as risen left join launches on launches.quote_id = risen.quote_id
    left join lateral (
      select swap.supply_raw, ${SWAP_FACTS} from swaps as swap where pool_number = risen.number and finalized
      order by slot desc, slot_order desc, index desc limit 1
    ) as last on true
    order by risen.mint`.execute(db);
  const next = rows.length === limit ? (rows.at(-1)?.mint ?? null) : null;
  return { tokens: rows.flatMap((row) => toRisen(row) ?? []), next };
}

type RisenRow = Pick<RisenToken, 'mint' | 'status' | 'baseDecimals' | 'supplyRaw'> & {
  readonly steadyUsd: SpendableUsd;
  readonly basePriceQuote: string | null;
  readonly lowestQuote: string;
} & (StoredSwapFacts | { readonly signatureBytes: null });

/** Null for a token that was neither traded nor launched here: one endpoint alone shows its price. */
function toRisen(row: RisenRow): RisenToken | null {
  const { mint, status, baseDecimals, supplyRaw, steadyUsd, basePriceQuote, lowestQuote } = row;
  if (basePriceQuote === null) return null;
  const swap = row.signatureBytes === null ? null : swapIn(row);
  return { mint, status, baseDecimals, supplyRaw, steadyUsd, priceQuote: lowestQuote, swap };
}

function swapIn({ signatureBytes, index, slot, blockTime, side, baseRaw, quoteRaw, priceQuote }: StoredSwapFacts) {
  return signed({ signatureBytes, index, slot, blockTime, side, baseRaw, quoteRaw, priceQuote });
}

export interface RisenPeak {
  readonly mint: string;
  readonly capUsd: SpendableUsd;
}

/** Raises peaks with one statement; a lower cap changes nothing. */
export async function raisePeaks(db: Db, peaks: readonly RisenPeak[]): Promise<void> {
  if (peaks.length > 0) await raising(peaks, sql`market.status`).execute(db);
}

/** Raises the peak and graduates, in one statement: a peak at the cap is never without its status. */
export async function graduateAt(db: Db, peak: RisenPeak): Promise<void> {
  await raising([peak], sql`'graduated'`).execute(db);
}

function raising(peaks: readonly RisenPeak[], status: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    update token_markets as market set status = ${status},
      high_water_market_cap_usd = greatest(market.high_water_market_cap_usd, given.cap)
    from unnest(${peaks.map(({ mint }) => mint)}::text[], ${peaks.map(({ capUsd }) => capUsd)}::numeric[]) as given (mint, cap)
    where market.mint = given.mint`;
}
