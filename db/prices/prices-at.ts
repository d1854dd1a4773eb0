import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Step of block times, which are whole seconds: a price within the same second counts as known. */
const BLOCK_TIME_STEP_MS = 1_000;

export interface WantedPrice {
  readonly mint: string;
  readonly at: Date;
}

export function pricesOfPairs(db: Db, wanted: readonly WantedPrice[]): Promise<(string | null)[]> {
  return pricesOf(
    db,
    wanted,
    sql`(
      select given.mint, given.at, given.place, case when pairs.price_source <> 'fixed' then pairs.price_max_age_ms end as reach_ms
      from unnest(${mintsOf(wanted)}::text[], ${timesOf(wanted)}::timestamptz[])
        with ordinality as given (mint, at, place)
      join pairs on pairs.mint = given.mint
    ) as wanted`,
  );
}

function mintsOf(wanted: readonly Pick<WantedPrice, 'mint'>[]): string[] {
  return wanted.map(({ mint }) => mint);
}

function timesOf(wanted: readonly Pick<WantedPrice, 'at'>[]): Date[] {
  return wanted.map(({ at }) => at);
}

/** @param table `wanted`: mints, times, reaches (ms; null: unlimited), places from 1 */
async function pricesOf(
  db: Db,
  { length }: readonly unknown[],
  table: RawBuilder<unknown>,
): Promise<(string | null)[]> {
  if (length === 0) return [];
  const { rows } = await sql<{ usd: string | null; place: bigint }>`
    select coalesce(before.usd, later.usd) as usd, wanted.place
    from ${table}
    cross join lateral (
      select wanted.at + ${BLOCK_TIME_STEP_MS} * interval '1 millisecond' as until,
        wanted.reach_ms * interval '1 millisecond' as reach
    ) as second
    left join lateral (
      select usd from price_observations as seen
      where seen.mint = wanted.mint and seen.observed_at < second.until
        and (second.reach is null or seen.observed_at >= wanted.at - second.reach)
      order by seen.observed_at desc, seen.id desc limit 1
    ) as before on true
    left join lateral (
      select usd from price_observations as seen
      where seen.mint = wanted.mint and seen.observed_at >= second.until
        and (second.reach is null or seen.observed_at <= wanted.at + second.reach)
      order by seen.observed_at, seen.id limit 1
    ) as later on true`.execute(db);
  const found = new Map(rows.map(({ usd, place }) => [Number(place), usd]));
  return Array.from({ length }, (_, index) => found.get(index + 1) ?? null);
}
