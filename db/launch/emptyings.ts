/** Of finalized launches. */

import { type ExpressionBuilder, sql } from 'kysely';
import { emptyingPurpose } from '../../domain/purpose.ts';
import type { Db } from '../connect.ts';
import { type DueLock, takeDueLock } from '../money/due-lock.ts';
import type { Database } from '../schema/database.ts';
import { inState } from '../../domain/in-state.ts';

/** Time of the next try: after 1, 2, 4 … minutes, at most a day. Wallets that cannot be emptied leave room. */
const NEXT_EMPTYING = sql<Date>`now() + least(interval '1 day', interval '1 minute' * power(2, least(empty_tries, 20)))`;

export async function takeDue(db: Db, limit = 20): Promise<string[]> {
  const rows = await db
    .with('due', (cte) =>
      cte
        .selectFrom('launches')
        .select('quoteId')
        .where('state', '=', sql.lit('finalized'))
        .where('emptiedAt', 'is', null)
        .where('emptyAfter', '<=', sql<Date>`now()`)
        // The wallet pays for the delivery and holds its tokens.
        .where((eb) => eb.not(eb.exists(openAirdrops(eb))))
        .orderBy('emptyAfter')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('launches')
    .from('due')
    .set((eb) => ({ emptyTries: eb('emptyTries', '+', 1), emptyAfter: NEXT_EMPTYING }))
    .whereRef('launches.quoteId', '=', 'due.quoteId')
    .returning('launches.quoteId')
    .execute();
  return rows.map(({ quoteId }) => quoteId);
}

function openAirdrops(eb: ExpressionBuilder<Database, 'launches'>) {
  return eb
    .selectFrom('airdrops')
    .whereRef('airdrops.quoteId', '=', 'launches.quoteId')
    .where('airdrops.deliveredAt', 'is', null);
}

/** @throws when it is already empty, or its airdrop is open */
export async function lockDue(tx: Db, quoteId: string): Promise<DueLock> {
  const lock = await takeDueLock(
    tx,
    () => [emptyingPurpose(quoteId)],
    async () => {
      const row = await tx
        .selectFrom('launches')
        .select(['state', 'emptiedAt'])
        .where('quoteId', '=', quoteId)
        .forUpdate()
        .executeTakeFirst();
      const launch = inState(row, 'finalized');
      if (launch?.emptiedAt !== null) return null;
      // An ended airdrop stays ended and needs no lock.
      const open = tx.selectFrom('airdrops').select('quoteId').where('quoteId', '=', quoteId);
      return (await open.where('deliveredAt', 'is', null).executeTakeFirst()) ? null : launch;
    },
  );
  if (!lock) throw new Error(`the wallet of launch ${quoteId} is not to be emptied any more`);
  return lock;
}

/** Records that the wallet is empty, and so no longer due. */
export async function markEmptied(db: Db, quoteId: string): Promise<void> {
  await db
    .updateTable('launches')
    .set({ emptiedAt: sql`now()` })
    .where('quoteId', '=', quoteId)
    .execute();
}
