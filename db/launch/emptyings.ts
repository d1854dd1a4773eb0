/** Wallets of finalized launches that are to be emptied. */

import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { Database } from '../schema/database.ts';

/** Pauses of 1, 2, 4 … minutes and at most a day, so that wallets which cannot be emptied leave room for the others. */
const NEXT_EMPTYING = sql<Date>`now() + least(interval '1 day', interval '1 minute' * power(2, least(empty_tries, 20)))`;

/** Quote ids of finalized launches whose wallet is due to be emptied and whose airdrop is delivered, longest due first; each is due again later, the more often the later. */
export async function takeDue(db: Db, limit = 20): Promise<string[]> {
  const rows = await db
    .with('due', (cte) =>
      cte
        .selectFrom('launches')
        .select('quoteId')
        .where('state', '=', sql.lit('finalized'))
        .where('emptiedAt', 'is', null)
        .where('emptyAfter', '<=', sql<Date>`now()`)
        // Its wallet pays for the delivery, and holds what is delivered.
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

/** Notes that the launch wallet is empty: it is not due any more. */
export async function markEmptied(db: Db, quoteId: string): Promise<void> {
  await db
    .updateTable('launches')
    .set({ emptiedAt: sql`now()` })
    .where('quoteId', '=', quoteId)
    .execute();
}
