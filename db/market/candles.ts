import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connect.ts';
import { OPENING_PRICES } from './opening-price.ts';
import { monthsSince } from './swaps.ts';

/** Currency of prices: USD, or whole quote tokens per token. */
export type CandleCurrency = 'usd' | 'quote';

export interface CandleQuery {
  readonly mint: string;
  readonly poolNumber: number;
  /** Seconds; candles start at multiples since 1970. */
  readonly seconds: number;
  readonly currency: CandleCurrency;
  /** Inclusive; `to` is exclusive. */
  readonly from: Date;
  readonly to: Date;
}

/** Exact decimals. */
export interface Candle {
  readonly time: Date;
  /** The previous close, or the pool's opening price: a lone trade shows its move. */
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volumeUsd: string | null;
  /** Raw units. */
  readonly baseRaw: bigint;
  readonly trades: bigint;
}

const PRICES: Readonly<Record<CandleCurrency, RawBuilder<string>>> = {
  usd: sql`price_usd`,
  quote: sql`price_quote`,
};

const KNOWN: Readonly<Record<CandleCurrency, RawBuilder<boolean>>> = {
  usd: sql`quote_usd is not null`,
  quote: sql`true`,
};

/** Whether the pool was traded before; a removed month counts. */
export async function wasTradedBefore(
  db: Db,
  { poolNumber, from }: Pick<CandleQuery, 'poolNumber' | 'from'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from market_swaps where pool_number = ${poolNumber} and block_time < ${from} limit 1`.execute(db);
  return rows.length > 0;
}

/** Oldest first. No candle without trades, or of a removed month. Unpriced trades are ignored. */
export async function listCandles(
  db: Db,
  { mint, poolNumber, seconds, currency, from, to }: CandleQuery,
): Promise<Candle[]> {
  const price = PRICES[currency];
  const span = sql`make_interval(secs => ${seconds})`;
  // Month 0: kept from removed months.
  const months = sql`${monthsSince(from)} and month > 0 and month <= swap_month(${to}::timestamptz + interval '1 day')`;
  const { rows } = await sql<Candle>`
    with spans as (
      select date_bin(${span}, block_time, 'epoch') as time, max(slot) as last_slot, max(${price}) as high,
        min(${price}) as low, sum(value_usd) as volume_usd, sum(base_raw) as base_raw, count(*) as trades
      from swaps
      where pool_number = ${poolNumber} and ${months} and block_time >= ${from} and block_time < ${to} and ${KNOWN[currency]}
      group by 1
    ), closed as (
      select spans.*, (
        select ${price} from swaps where pool_number = ${poolNumber} and ${months} and slot = spans.last_slot and ${KNOWN[currency]}
        order by slot_order desc, signature_bytes desc, index desc limit 1
      ) as close
      from spans
    ), opened as (
      select closed.*, coalesce(lag(close) over (order by time), (
        select ${price} from swaps where pool_number = ${poolNumber} and block_time < ${from} and ${KNOWN[currency]}
        order by block_time desc, slot desc, slot_order desc, signature_bytes desc, index desc limit 1
      ), (
        select ${OPENING_PRICES[currency]} from tokens join launches using (quote_id) where tokens.mint = ${mint}
      ), close) as open
      from closed
    )
    select time, open, greatest(high, open) as high, least(low, open) as low, close, volume_usd, base_raw, trades
    from opened order by time`.execute(db);
  return rows;
}
