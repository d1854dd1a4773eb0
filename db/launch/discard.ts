import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** The next round deletes the rest. */
const MOST = 5_000;

/** A quote lives a minute, a stalled submit not much longer. */
const ADDRESSES_KEPT = sql<Date>`now() - interval '1 day'`;

/** Time for which unpaid files count against their network address (`beginStoring`). */
const UNPAID_CLIENTS_KEPT = sql<Date>`now() - interval '1 day'`;

/** Time for which launches that did not land are kept, long after clients ask. */
const NOT_LANDED_KEPT = sql<Date>`now() - interval '30 days'`;

/** Deletes addresses that a prepare took and no launch used; they can no longer be launched. */
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
 * Deletes old launches that did not land; a repeated submit finds no row and is refused again. Keeps a launch whose
 * token a fork removed, and one with an open finding.
 */
export async function discardNotLanded(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('launches')
    .where('quoteId', 'in', (eb) =>
      eb
        .selectFrom('launches as ended')
        .select('ended.quoteId')
        // For the partial index.
        .where(sql<boolean>`ended.state = 'not_landed'`)
        .where('ended.updatedAt', '<', NOT_LANDED_KEPT)
        .where((row) => row.not(row.exists(row.selectFrom('tokens').whereRef('tokens.quoteId', '=', 'ended.quoteId'))))
        .where(sql<boolean>`not exists (select from book_findings where subject = 'launch/' || ended.quote_id)`)
        .orderBy('ended.updatedAt')
        .limit(MOST),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function forgetUnpaidClients(db: Db): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('launches')
    .set({ client: null, clientNetwork: null })
    .where('client', 'is not', null)
    .where(sql<boolean>`state = 'not_landed'`)
    .where('filesStoredAt', '<', UNPAID_CLIENTS_KEPT)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
