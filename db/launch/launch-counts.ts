import { sql } from 'kysely';
import type { LaunchState } from '../../domain/launch/state.ts';
import type { Db } from '../connect.ts';

/** Counts launches that have not ended; ended ones grow for ever. */
export async function countOpenLaunches(db: Db): Promise<Map<LaunchState, number>> {
  const rows = await db
    .selectFrom('launches')
    .select(['state', (eb) => eb.fn.countAll<bigint>().as('count')])
    .where(sql<boolean>`state not in ('finalized', 'refunded', 'not_landed')`)
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}

export async function landingSeconds(db: Db, since: Date): Promise<Map<'0.5' | '0.95', number>> {
  const took = sql`extract(epoch from completed_at - submitted_at)`;
  const row = await db
    .selectFrom('launches')
    .select([
      sql<number | null>`percentile_cont(0.5) within group (order by ${took})`.as('half'),
      sql<number | null>`percentile_cont(0.95) within group (order by ${took})`.as('most'),
    ])
    .where('state', 'in', ['completed', 'finalized'])
    .where('launchedAt', '>=', since)
    .executeTakeFirstOrThrow();
  if (row.half === null || row.most === null) return new Map();
  return new Map([
    ['0.5', row.half],
    ['0.95', row.most],
  ]);
}

/** Returns where the metadata of the newest live launches is stored, newest first. */
export async function newestMetadata(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('launches')
    .select(sql<string>`terms ->> 'metadataUri'`.as('uri'))
    .where(sql<boolean>`state in ('completed', 'finalized')`)
    .orderBy('launchedAt', 'desc')
    .orderBy('quoteId', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ uri }) => uri);
}
