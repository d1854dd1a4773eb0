/** Kept by triggers. */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Condition that matches the ledger's partial index. */
const COMPLETED = sql.raw(`launches.state in ('completed', 'finalized')`);

/** Number of public launches, as an SQL value. */
export const PUBLIC_LAUNCHES = sql<number>`(
    select launches + (select coalesce(sum(launches), 0) from launch_changes) - (
      select count(*) from tokens join launches on launches.quote_id = tokens.quote_id
      where tokens.withdrawn_at is not null and ${COMPLETED}
    ) from launch_totals
  )::integer`;

/** Counts of completed launches whose token is not withdrawn. */
export interface LaunchTotals {
  readonly launches: number;
  readonly launchesLast24h: number;
  readonly creators: number;
}

/**
 * `now` ends the 24 hour window. Kept totals minus the few withdrawn; single launches are counted only in the
 * window's first hour.
 */
export async function launchTotals(db: Db, now: Date): Promise<LaunchTotals> {
  const since = sql`${new Date(now.getTime() - 24 * 60 * 60 * 1000)}::timestamptz`;
  const fullHours = sql`date_trunc('hour', ${since}, 'UTC') + interval '1 hour'`;
  const { rows } = await sql<LaunchTotals>`
    with unlisted as materialized (
      select launches.creator, launches.launched_at from tokens join launches on launches.quote_id = tokens.quote_id
      where tokens.withdrawn_at is not null and ${COMPLETED}
    ), differing as (
      select creator, sum(launches) as launches, sum(unlisted) as unlisted from (
        select creator, launches, 0 as unlisted from launch_changes
        union all select creator, 0, 1 from unlisted
      ) as parts group by creator
    ), creators as (
      select coalesce(sum(
        (coalesce(known.launches, 0) + differing.launches - differing.unlisted > 0)::integer
          - (coalesce(known.launches, 0) > 0)::integer
      ), 0) as more
      from differing left join launch_creators as known on known.creator = differing.creator
    ), day as (
      select (select coalesce(sum(launches), 0) from launch_hours where hour >= ${fullHours})
        + (select coalesce(sum(launches), 0) from launch_changes where hour >= ${fullHours})
        + (select count(*) from launches where ${COMPLETED} and launched_at >= ${since} and launched_at < ${fullHours})
        - (select count(*) from unlisted where launched_at >= ${since}) as launches
    )
    select (totals.launches + (select coalesce(sum(launches), 0) from launch_changes)
        - (select count(*) from unlisted))::integer as launches,
      day.launches::integer as launches_last24h, (totals.creators + creators.more)::integer as creators
    from launch_totals as totals, day, creators`.execute(db);
  const [totals] = rows;
  if (!totals) throw new Error('the totals of all launches have no row');
  return totals;
}
