import { type RawBuilder, sql } from 'kysely';
import {
  cheaperUsd,
  IS_SET_BY_HAND,
  judgePrice,
  type SeenPrice,
  type SpendablePrice,
  spendablePrice,
  type SpendableUsd,
  type SpotPrice,
  STEADY_WINDOW_MS,
  type SteadyRule,
  STRETCH_MS,
  stretchOf,
  UnsteadyPriceError,
} from '../../domain/trading/spendable-price.ts';
import type { Db } from '../connect.ts';
import { pricesOfPairs } from './prices-at.ts';

export interface ClockedRule extends SteadyRule {
  /** Says why live prices cannot be dated by this machine's clock; null if they can. */
  readonly clockProblem: () => Promise<string | null>;
}

/**
 * Judges the price by earlier observations.
 * @throws UnsteadyPriceError
 */
export async function spendableOf(db: Db, present: SpotPrice, rule: ClockedRule): Promise<SpendablePrice> {
  if (IS_SET_BY_HAND[present.source]) return spendablePrice(present, [], rule);
  const problem = await rule.clockProblem();
  if (problem !== null) throw new UnsteadyPriceError(rule.mint, problem);
  return spendablePrice(present, await stretchPrices(db, rule.mint, present.observedAt), rule);
}

export interface PricedStretch {
  readonly mint: string;
  readonly stretch: number;
}

export interface PricesBefore {
  /** Within the window, oldest first. */
  readonly seen: readonly SeenPrice[];
  /** An operator sets the price. */
  readonly isFixed: boolean;
}

/** Reads the prices in order, with one statement. */
export async function pricesBefore(db: Db, wanted: readonly PricedStretch[]): Promise<PricesBefore[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<{ place: bigint; isFixed: boolean; usd: string | null; observedAt: Date | null }>`
    select wanted.place, coalesce(pairs.price_source = 'fixed', false) as is_fixed, priced.usd, priced.observed_at
    from unnest(${wanted.map(({ mint }) => mint)}::text[], ${wanted.map(({ stretch }) => new Date(stretch * STRETCH_MS))}::timestamptz[])
      with ordinality as wanted (mint, until, place)
    left join pairs on pairs.mint = wanted.mint
    left join lateral (${pricesOfStretches(sql`wanted.mint`, sql`wanted.until - ${STEADY_WINDOW_MS} * interval '1 millisecond'`, sql`wanted.until`)})
      as priced on pairs.price_source is distinct from 'fixed'
    order by wanted.place, priced.observed_at`.execute(db);
  const found = Map.groupBy(rows, ({ place }) => Number(place));
  return wanted.map((_, index) => {
    const own = found.get(index + 1) ?? [];
    const seen = own.flatMap(({ usd, observedAt }) =>
      usd === null || observedAt === null ? [] : [{ usd, observedAt }],
    );
    return { seen, isFixed: own[0]?.isFixed ?? false };
  });
}

export async function steadyAt(db: Db, mint: string, at: Date, maxDeviationBps: number): Promise<SpendableUsd | null> {
  const [[usd = null], [before]] = await Promise.all([
    pricesOfPairs(db, [{ mint, at }]),
    pricesBefore(db, [{ mint, stretch: stretchOf(at) }]),
  ]);
  return before === undefined ? null : judgedBefore({ usd, observedAt: at }, before, maxDeviationBps);
}

/** Null without a price, or if it was not steady. */
export function judgedBefore(
  { usd, observedAt }: { readonly usd: string | null; readonly observedAt: Date },
  { seen, isFixed }: PricesBefore,
  maxDeviationBps: number,
): SpendableUsd | null {
  if (usd === null) return null;
  // Any live source gives the same.
  const present = { usd, observedAt, source: isFixed ? 'fixed' : 'pyth' } as const;
  const judged = judgePrice(present, seen, maxDeviationBps);
  return typeof judged === 'string' ? null : cheaperUsd(judged);
}

/** Lists prices of stretches that ended before `moment`'s, within the window, oldest first. */
async function stretchPrices(db: Db, mint: string, moment: Date): Promise<SeenPrice[]> {
  const until = new Date(stretchOf(moment) * STRETCH_MS);
  const from = new Date(moment.getTime() - STEADY_WINDOW_MS);
  const { rows } = await pricesOfStretches(sql`${mint}`, sql`${from}`, sql`${until}`).execute(db);
  return [...rows];
}

/**
 * The median of its samples by time: each counts while it was the last of its stretch, the lower where two last equally
 * long. The worker alone chooses the moments of samples, so a stranger who moves a market for a moment makes no stretch.
 */
function pricesOfStretches(mint: RawBuilder<unknown>, from: RawBuilder<unknown>, until: RawBuilder<unknown>) {
  return sql<SeenPrice>`
    select distinct on (stretch) usd, observed_at from (
      select stretch, usd, observed_at, id, sum(held) over (partition by stretch) as whole,
        sum(held) over (partition by stretch order by usd, observed_at, id) as up_to_here
      from (
        select stretch, usd, observed_at, id, coalesce(lead(observed_at) over (partition by stretch order by observed_at, id),
          to_timestamp((stretch + 1) * ${STRETCH_MS} / 1000)) - observed_at as held
        from (
          select usd, observed_at, id, floor(extract(epoch from observed_at) * 1000 / ${STRETCH_MS}) as stretch
          from price_observations where mint = ${mint} and is_sample and observed_at >= ${from} and observed_at < ${until}
        ) as seen
      ) as lasting
    ) as summed where up_to_here * 2 >= whole order by stretch, usd, observed_at, id`;
}
