/** And why; in the transaction that decides it. */

import { sql } from 'kysely';
import type { LeftOut, LeftOutReason } from '../../domain/reward/left-out.ts';
import type { Db } from '../connect.ts';

/** Maximum rows per decision, largest first; all are counted. */
const MOST_ROWS = 5_000;

export interface PlannedLeftOut {
  readonly owners: readonly LeftOut[];
  /** Throughout; no rows. */
  readonly belowMinimum: number;
}

/** A row each, up to the maximum. Once per owner and round. */
export async function record(tx: Db, roundId: string, { owners, belowMinimum }: PlannedLeftOut): Promise<void> {
  const counts = new Map<LeftOutReason, number>(belowMinimum > 0 ? [['belowMinimum', belowMinimum]] : []);
  for (const { reason } of owners) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  if (counts.size === 0) return;
  await tx
    .insertInto('rewardLeftOutCounts')
    .values([...counts].map(([reason, counted]) => ({ roundId, reason, owners: counted })))
    .onConflict((conflict) =>
      conflict
        .columns(['roundId', 'reason'])
        .doUpdateSet({ owners: sql`reward_left_out_counts.owners + excluded.owners` }),
    )
    .execute();
  const kept = owners.toSorted(byBalance).slice(0, MOST_ROWS);
  if (kept.length === 0) return;
  const rows = kept.map(({ owner, reason, balanceRaw }) => ({ roundId, owner, reason, balanceRaw }));
  await tx.insertInto('rewardLeftOut').values(rows).execute();
}

function byBalance(a: LeftOut, b: LeftOut): number {
  if (a.balanceRaw !== b.balanceRaw) return a.balanceRaw > b.balanceRaw ? -1 : 1;
  return a.owner < b.owner ? -1 : 1;
}
