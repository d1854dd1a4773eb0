import type { ClaimState } from '../../domain/claim/state.ts';
import type { Db } from '../connect.ts';

const UNDER_WAY = ['submitted', 'relaying', 'killing'] as const satisfies readonly ClaimState[];

/** Null where no claim is in that state. */
export async function oldestOpenClaims(db: Db): Promise<Map<ClaimState, Date | null>> {
  const rows = await db
    .selectFrom('claimIntents')
    .select(['state', (eb) => eb.fn.min('updatedAt').as('since')])
    .where('state', 'in', UNDER_WAY)
    .groupBy('state')
    .execute();
  const since = new Map(rows.map((row) => [row.state, row.since]));
  return new Map(UNDER_WAY.map((state) => [state, since.get(state) ?? null]));
}
