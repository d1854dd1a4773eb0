import type { LaunchState } from '../../domain/launch/state.ts';
import type { Db } from '../connect.ts';

/** Number of launches in each state that has any. */
export async function countLaunchesByState(db: Db): Promise<Map<LaunchState, number>> {
  const rows = await db
    .selectFrom('launches')
    .select(['state', (eb) => eb.fn.countAll<bigint>().as('count')])
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}
