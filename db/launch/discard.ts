import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Rows deleted at once: what is left over goes with the next round. */
const MOST = 5_000;

/** A quote lives a minute, and a submit of it that stands still not much longer. */
const ADDRESSES_KEPT = sql<Date>`now() - interval '1 day'`;

/** So long files that nobody paid for count for the network address that launched them (`beginStoring`). */
const UNPAID_CLIENTS_KEPT = sql<Date>`now() - interval '1 day'`;

/** Long after anybody asks what became of a payment that was never charged. */
const NOT_LANDED_KEPT = sql<Date>`now() - interval '30 days'`;

/** Deletes addresses that a prepare took and no launch ever used; answers how many. Nobody can launch with them again. */
export async function discardUnusedAddresses(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('launchAddresses')
    .where('quoteId', 'in', (eb) =>
      eb
        .selectFrom('launchAddresses as taken')
        .select('taken.quoteId')
        .where('taken.takenAt', '<', ADDRESSES_KEPT)
        .where((row) =>
          row.not(row.exists(row.selectFrom('launches').whereRef('launches.quoteId', '=', 'taken.quoteId'))),
        )
        .orderBy('taken.takenAt')
        .limit(MOST),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * Deletes launches that ended without a charge, with their signatures and history; answers how many. Their quotes are long over,
 * so a repeat of one finds no row and is refused anew. One whose token a fork took back stays with its token.
 */
export async function discardNotLanded(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('launches')
    .where('quoteId', 'in', (eb) =>
      eb
        .selectFrom('launches as ended')
        .select('ended.quoteId')
        // A literal, so that the planner can tell that the partial index applies.
        .where(sql<boolean>`ended.state = 'not_landed'`)
        .where('ended.updatedAt', '<', NOT_LANDED_KEPT)
        .where((row) => row.not(row.exists(row.selectFrom('tokens').whereRef('tokens.quoteId', '=', 'ended.quoteId'))))
        .orderBy('ended.updatedAt')
        .limit(MOST),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Forgets the network addresses of launches that ended unpaid, once their files count no more; answers of how many. */
export async function forgetUnpaidClients(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('launches')
    .set({ client: null })
    .where('client', 'is not', null)
    .where(sql<boolean>`state = 'not_landed'`)
    .where('filesStoredAt', '<', UNPAID_CLIENTS_KEPT)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
