import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connect.ts';
import { signed } from '../market/swap-bytes.ts';
import { monthsSince, type StoredSwapFacts, SWAP_FACTS } from '../market/swaps.ts';

export interface AverageSpan {
  readonly mint: string;
  readonly from: Date;
  readonly to: Date;
  /** Before the first trade. */
  readonly openingPrice: string;
  readonly openedAt: Date;
}

/**
 * Returns the time-weighted average: whole quote tokens per token, exact, 30 fraction digits. Uses final swaps only.
 * Begins where the pool opened within the span.
 */
export async function averagePrice(db: Db, { mint, from, to, openingPrice, openedAt }: AverageSpan): Promise<string> {
  const { rows } = await sql<{ average: string }>`
    with earlier as (
      select price_quote from swaps where pool_number = ${numberOf(mint)} and block_time <= ${from} and finalized
      order by block_time desc, slot desc, slot_order desc, signature_bytes desc, index desc limit 1
    ), prices as (
      select coalesce((select price_quote from earlier), ${openingPrice}::numeric) as price,
        least(greatest(${from}::timestamptz, ${openedAt}::timestamptz), ${to}::timestamptz) as at,
        0::bigint as slot, 0 as slot_order, ''::bytea as signature_bytes, 0 as index
      union all
      select price_quote, block_time, slot, slot_order, signature_bytes, index from swaps
      where pool_number = ${numberOf(mint)} and block_time > ${from} and block_time <= ${to} and ${monthsSince(from)} and finalized
    ), spans as (
      select price, slot, slot_order, signature_bytes, index,
        greatest(0, extract(epoch from lead(at, 1, ${to}::timestamptz) over chain - at)) as seconds
      from prices window chain as (order by slot, slot_order, signature_bytes, index)
    )
    select coalesce(
      sum(price * seconds) / nullif(sum(seconds), 0),
      (array_agg(price order by slot desc, slot_order desc, signature_bytes desc, index desc))[1]
    )::numeric(60, 30) as average from spans`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`no average price of ${mint}`);
  return row.average;
}

/** Parts of the span, with a lowest and highest price each. */
const PARTS = 4;

/** Number of longest-lasting prices whose start and end count. */
const LONGEST = 4;

export async function boundsOfAverage(db: Db, { mint, from, to }: Omit<AverageSpan, 'openingPrice' | 'openedAt'>) {
  const { rows } = await sql<StoredSwapFacts>`
    with span as (
      select ${SWAP_FACTS}, slot_order, least(${PARTS} - 1, floor(${PARTS} * extract(epoch from block_time - ${from}::timestamptz)
        / extract(epoch from ${to}::timestamptz - ${from}::timestamptz))) as part
      from swaps as swap where pool_number = ${numberOf(mint)} and block_time > ${from} and block_time <= ${to} and ${monthsSince(from)} and finalized
    ), earlier as (
      select ${SWAP_FACTS}, slot_order, -1 as part from swaps as swap where pool_number = ${numberOf(mint)} and block_time <= ${from} and finalized
      order by block_time desc, slot desc, slot_order desc, signature_bytes desc, index desc limit 1
    ), lowest as (select distinct on (part) * from span order by part, price_quote, slot, slot_order, signature_bytes, index),
    highest as (select distinct on (part) * from span order by part, price_quote desc, slot, slot_order, signature_bytes, index),
    ordered as (
      select *, row_number() over chain as n, lead(block_time, 1, ${to}::timestamptz) over chain - greatest(block_time, ${from}::timestamptz)
        as stood
      from (select * from earlier union all select * from span) as averaged
      window chain as (order by slot, slot_order, signature_bytes, index)
    ), longest as (select n from ordered order by stood desc, n limit ${LONGEST})
    select ${SWAP_FACTS} from ordered as swap
    where n in (select n from longest union select n + 1 from longest)
      or (signature_bytes, index) in (select signature_bytes, index from earlier union select signature_bytes, index from lowest
        union select signature_bytes, index from highest)
    order by slot, slot_order, signature_bytes, index`.execute(db);
  return rows.map((row) => signed(row));
}

/** The key that a token's swaps are found by. */
function numberOf(mint: string): RawBuilder<number> {
  return sql`(select number from pool_cursors where mint = ${mint})`;
}
