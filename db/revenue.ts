/** One row per day. */

import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** Revenue of a UTC day; exact decimals. */
export interface RevenueDay {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly revenueUsd: string;
  readonly buybackUsd: string;
  /** For ranked tokens; part of the protocol's. */
  readonly flywheelUsd: string;
  readonly protocolUsd: string;
  readonly harvests: number;
  /** Count as zero. */
  readonly unpriced: number;
}

export type RevenueTotals = Omit<RevenueDay, 'day'>;

const PROTOCOL_USD = sql<string>`revenue_usd - buyback_usd`;

/** Lists days with a harvest, oldest first. */
export function days(db: Db): Promise<RevenueDay[]> {
  return db
    .selectFrom('revenueDays')
    .select(['day', 'revenueUsd', 'buybackUsd', 'flywheelUsd', 'harvests', 'unpriced'])
    .select(PROTOCOL_USD.as('protocolUsd'))
    .orderBy('day')
    .execute();
}

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

/** Returns the day of the first harvest or of the database, `YYYY-MM-DD`. */
export async function firstDay(db: Db): Promise<string> {
  const { rows } = await sql<{ day: string }>`
    select least(to_char(coalesce((select min(claimed_at) from environment), now()) at time zone 'UTC', 'YYYY-MM-DD'),
      (select min(day) from revenue_days)) as day`.execute(db);
  const [first] = rows;
  if (!first) throw new Error('the first day of revenue has no row');
  return first.day;
}
