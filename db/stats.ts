/** Kept with every change. */

import * as burns from './burns.ts';
import { buybackSpentUsd } from './buyback/buyback-reads.ts';
import type { Db } from './connect.ts';
import { frozenStock } from './inventory/frozen-stock.ts';
import { type LaunchTotals, launchTotals } from './launch/launch-totals.ts';
import { type MarketTotals, marketTotals } from './market/market-totals.ts';
import * as revenue from './revenue.ts';

/** Totals without hidden and withdrawn tokens. */
export interface Totals extends MarketTotals, LaunchTotals {
  readonly launchablePairs: number;
  /** Of them: those whose account of the treasury is frozen. */
  readonly frozenPairs: number;
  /** Of platform positions, at their claim, exact decimal. */
  readonly feeRevenueUsd: string;
  readonly burns: number;
  readonly burnedUsd: string;
  readonly buybackUsd: string;
}

/** `now` ends the 24 hour window. */
export async function totals(db: Db, now: Date): Promise<Totals> {
  const [tokens, launches, pairs, frozen, fees] = await Promise.all([
    marketTotals(db),
    launchTotals(db, now),
    launchablePairs(db),
    frozenStock(db),
    feeTotals(db),
  ]);
  return { ...tokens, ...launches, launchablePairs: pairs, frozenPairs: frozen.size, ...fees };
}

async function feeTotals(db: Db): Promise<Pick<Totals, 'feeRevenueUsd' | 'burns' | 'burnedUsd' | 'buybackUsd'>> {
  const [{ revenueUsd: feeRevenueUsd }, burned, buybackUsd] = await Promise.all([
    revenue.totals(db),
    burns.countAll(db),
    buybackSpentUsd(db),
  ]);
  return { feeRevenueUsd, burns: burned.burns, burnedUsd: burned.valueUsd, buybackUsd };
}

async function launchablePairs(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('pairs')
    .innerJoin('pairCategories', 'pairCategories.name', 'pairs.category')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('pairs.status', '=', 'active')
    .where('pairCategories.retired', '=', false)
    .executeTakeFirstOrThrow();
  return Number(count);
}
