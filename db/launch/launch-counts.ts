import { sql } from 'kysely';
import type { LaunchState } from '../../domain/launch/state.ts';
import type { Db } from '../connect.ts';

export async function countLaunchesByState(db: Db): Promise<Map<LaunchState, number>> {
  const rows = await db
    .selectFrom('launches')
    .select(['state', (eb) => eb.fn.countAll<bigint>().as('count')])
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
