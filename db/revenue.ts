/** Sums of harvests. They are read from a row a day, however many harvests there were. */

import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** Revenue of one UTC day; USD are exact decimal strings. */
export interface RevenueDay {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** What the day's harvests brought to the treasury. */
  readonly revenueUsd: string;
  /** The share of it for buybacks. */
  readonly buybackUsd: string;
  /** The share for buying the ranked tokens; it is part of the protocol's. */
  readonly flywheelUsd: string;
  readonly protocolUsd: string;
  readonly harvests: number;
  /** Harvests without a price, which count as zero. */
  readonly unpriced: number;
}

/** All revenue together. */
export type RevenueTotals = Omit<RevenueDay, 'day'>;

const PROTOCOL_USD = sql<string>`revenue_usd - buyback_usd`;

/** Every day with a harvest, oldest first. */
export function days(db: Db): Promise<RevenueDay[]> {
  return db
    .selectFrom('revenueDays')
    .select(['day', 'revenueUsd', 'buybackUsd', 'flywheelUsd', 'harvests', 'unpriced'])
    .select(PROTOCOL_USD.as('protocolUsd'))
    .orderBy('day')
    .execute();
}

/** The revenue of all days together. */
export async function totals(db: Db): Promise<RevenueTotals> {
  const sums = await db
    .selectFrom('revenueDays')
    .select([
      sql<string>`coalesce(sum(revenue_usd), 0)::numeric(60, 10)`.as('revenueUsd'),
      sql<string>`coalesce(sum(buyback_usd), 0)::numeric(60, 14)`.as('buybackUsd'),
      sql<string>`coalesce(sum(flywheel_usd), 0)::numeric(60, 14)`.as('flywheelUsd'),
      sql<string>`coalesce(sum(revenue_usd - buyback_usd), 0)::numeric(60, 14)`.as('protocolUsd'),
      sql<bigint>`coalesce(sum(harvests), 0)`.as('harvests'),
      sql<bigint>`coalesce(sum(unpriced), 0)`.as('unpriced'),
    ])
    .executeTakeFirstOrThrow();
  return { ...sums, harvests: Number(sums.harvests), unpriced: Number(sums.unpriced) };
}

/** The first UTC day that revenue is answered for, `YYYY-MM-DD`: that of the first harvest, or of the database where that is earlier. */
export async function firstDay(db: Db): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select least(to_char(coalesce((select min(claimed_at) from environment), now()) at time zone 'UTC', 'YYYY-MM-DD'),
      (select min(day) from revenue_days)) as day`.execute(db);
  const [first] = rows;
  if (!first) throw new Error('the first day of revenue has no row');
  return first.day;
}
