import { sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { PriceSource } from '../schema/pairs.ts';

/** How far back a price of this token may reach. */
export interface PriceReach {
  readonly priceSource: PriceSource;
  /** ms; a price that was set by hand holds until it is set anew. */
  readonly priceMaxAgeMs: number;
}

/** Block times are whole seconds: a price of the same second counts as known by then, in ms. */
const BLOCK_TIME_STEP_MS = 1_000;

/**
 * What a token cost at these moments: the newest observation by then that was not too old, or else the first one soon
 * after. In the order asked for; null where nothing near enough was observed.
 */
export async function pricesAt(
  db: Db,
  mint: string,
  times: readonly Date[],
  { priceSource, priceMaxAgeMs }: PriceReach,
): Promise<(string | null)[]> {
  if (times.length === 0) return [];
  const reachMs = priceSource === 'fixed' ? null : priceMaxAgeMs;
  const { rows } = await sql<{ usd: string | null }>`
    select coalesce(before.usd, later.usd) as usd
    from unnest(${[...times]}::timestamptz[]) with ordinality as wanted (at, place)
    cross join lateral (select wanted.at + ${BLOCK_TIME_STEP_MS} * interval '1 millisecond' as until) as second
    left join lateral (
      select usd from price_observations as seen
      where seen.mint = ${mint} and seen.observed_at < second.until
        and (${reachMs}::integer is null or seen.observed_at >= wanted.at - ${reachMs}::integer * interval '1 millisecond')
      order by seen.observed_at desc, seen.id desc limit 1
    ) as before on true
    left join lateral (
      select usd from price_observations as seen
      where seen.mint = ${mint} and seen.observed_at >= second.until
        and (${reachMs}::integer is null or seen.observed_at <= wanted.at + ${reachMs}::integer * interval '1 millisecond')
      order by seen.observed_at, seen.id limit 1
    ) as later on true
    order by wanted.place`.execute(db);
  return rows.map(({ usd }) => usd);
}
