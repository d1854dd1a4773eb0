/** Figures over whole tables: callers cache them. */

import { BigNumber } from 'bignumber.js';
import { sql } from 'kysely';
import * as burns from './burns.ts';
import { buybackTotals } from './buyback/buyback-reads.ts';
import type { Db } from './connect.ts';
import * as revenue from './revenue.ts';

/** Aggregate figures of the platform; hidden and withdrawn tokens count nowhere. */
export interface Totals {
  readonly tokens: number;
  readonly rewardTokens: number;
  readonly graduatedTokens: number;
  readonly aboutToGraduateTokens: number;
  /** Market caps, trades of the last 24 hours and both sides of all pools, in USD as far as prices are known: exact decimals. */
  readonly marketCapUsd: string;
  readonly volume24hUsd: string;
  readonly liquidityUsd: string;
  /** Launches that completed. */
  readonly launches: number;
  readonly launchesLast24h: number;
  /** Wallets with at least one completed launch. */
  readonly creators: number;
  readonly launchablePairs: number;
  /** Fees that the platform's positions brought to its treasury, valued when they were claimed: exact decimals. */
  readonly feeRevenueUsd: string;
  /** What the platform burned, of whatever token and for whatever reason: how often, and what it was worth. */
  readonly burns: number;
  readonly burnedUsd: string;
  /** What was paid for the platform token: an exact decimal. */
  readonly buybackUsd: string;
}

/** The totals as they stand; `now` decides which launches belong to the last 24 hours. */
export async function totals(db: Db, now: Date): Promise<Totals> {
  const [tokens, launches, pairs, fees] = await Promise.all([
    tokenTotals(db),
    launchTotals(db, now),
    launchablePairs(db),
    feeTotals(db),
  ]);
  return { ...tokens, ...launches, launchablePairs: pairs, ...fees };
}

async function feeTotals(db: Db): Promise<Pick<Totals, 'feeRevenueUsd' | 'burns' | 'burnedUsd' | 'buybackUsd'>> {
  const [{ revenueUsd: feeRevenueUsd }, burned, { spentUsd: buybackUsd }] = await Promise.all([
    revenue.totals(db),
    burns.all(db),
    buybackTotals(db),
  ]);
  const burnCount = burned.kinds.reduce((count, kind) => count + kind.burns, 0);
  const burnedUsd = BigNumber.sum(0, ...burned.kinds.map(({ valueUsd }) => valueUsd)).toFixed();
  return { feeRevenueUsd, burns: burnCount, burnedUsd, buybackUsd };
}

type TokenTotals = Pick<
  Totals,
  | 'tokens'
  | 'rewardTokens'
  | 'graduatedTokens'
  | 'aboutToGraduateTokens'
  | 'marketCapUsd'
  | 'volume24hUsd'
  | 'liquidityUsd'
>;

async function tokenTotals(db: Db): Promise<TokenTotals> {
  const row = await db
    .selectFrom('tokenMarkets')
    .select((eb) => [
      eb.fn.countAll<bigint>().as('tokens'),
      eb.fn.countAll<bigint>().filterWhere('mode', '=', 'reward').as('rewardTokens'),
      eb.fn.countAll<bigint>().filterWhere('status', '=', 'graduated').as('graduatedTokens'),
      eb.fn.countAll<bigint>().filterWhere('status', '=', 'aboutToGraduate').as('aboutToGraduateTokens'),
      exactSum('market_cap_usd').as('marketCapUsd'),
      exactSum('volume24h_usd').as('volume24hUsd'),
      exactSum('liquidity_usd').as('liquidityUsd'),
    ])
    .where(sql<boolean>`listed`)
    .executeTakeFirstOrThrow();
  const { tokens, rewardTokens, graduatedTokens, aboutToGraduateTokens, ...sums } = row;
  return {
    ...sums,
    tokens: Number(tokens),
    rewardTokens: Number(rewardTokens),
    graduatedTokens: Number(graduatedTokens),
    aboutToGraduateTokens: Number(aboutToGraduateTokens),
  };
}

function exactSum(column: string) {
  return sql<string>`trim_scale(coalesce(sum(${sql.ref(column)}), 0))::text`;
}

async function launchTotals(db: Db, now: Date): Promise<Pick<Totals, 'launches' | 'launchesLast24h' | 'creators'>> {
  const dayAgo = new Date(now.getTime() - 24 * 60 * 60 * 1000);
  const row = await db
    .selectFrom('launches')
    .innerJoin('tokens', 'tokens.quoteId', 'launches.quoteId')
    .select((eb) => [
      eb.fn.countAll<bigint>().as('launches'),
      eb.fn.countAll<bigint>().filterWhere('launches.launchedAt', '>=', dayAgo).as('launchesLast24h'),
      eb.fn.count<bigint>('launches.creator').distinct().as('creators'),
    ])
    .where(sql<boolean>`launches.state in ('completed', 'finalized')`)
    .where(sql<boolean>`tokens.withdrawn_at is null and not tokens.hidden`)
    .executeTakeFirstOrThrow();
  const { launches, launchesLast24h, creators } = row;
  return { launches: Number(launches), launchesLast24h: Number(launchesLast24h), creators: Number(creators) };
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
