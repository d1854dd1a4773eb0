/** Signed by the worker alone: the API's role may only read them. */

import { createHash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { ReceiptKind } from '../../domain/launch/receipt.ts';
import { type Db, transaction } from '../connect.ts';
import { ContradictionError } from '../errors.ts';
import type { ReceiptTable } from '../schema/launch.ts';
import type { LateQuote } from './late-quotes.ts';
import { type LaunchRecord, toLaunchRecord } from './launch-records.ts';

export type KeptReceipt = Selectable<ReceiptTable>;

/** Time of the next try: a minute at least, later the longer it takes. */
const NEXT_TRY = (since: 'updated_at' | 'refused_at') =>
  sql<Date>`now() + greatest(interval '1 minute', (now() - ${sql.ref(since)}) / 2)`;

const NOW = sql<Date>`now()`;

/** Takes settled launches without a receipt, longest due first; postpones each. */
export async function takeDueLaunches(db: Db, limit: number): Promise<LaunchRecord[]> {
  const rows = await db
    .with('due', (cte) =>
      cte
        .selectFrom('launches')
        .select('quoteId')
        .where('receiptedAt', 'is', null)
        // For the partial index.
        .where(sql<boolean>`state in ('finalized', 'refunded', 'not_landed')`)
        .where('receiptAfter', '<=', NOW)
        .orderBy('receiptAfter')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('launches')
    .from('due')
    .set({ receiptAfter: NEXT_TRY('updated_at') })
    .whereRef('launches.quoteId', '=', 'due.quoteId')
    .returningAll('launches')
    .execute();
  return rows.map(toLaunchRecord);
}

/** As {@link takeDueLaunches}, of late quotes. */
export function takeDueLateQuotes(db: Db, limit: number): Promise<LateQuote[]> {
  return db
    .with('due', (cte) =>
      cte
        .selectFrom('lateQuotes')
        .select('signature')
        .where('receiptedAt', 'is', null)
        .where('receiptAfter', '<=', NOW)
        .orderBy('receiptAfter')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('lateQuotes')
    .from('due')
    .set({ receiptAfter: NEXT_TRY('refused_at') })
    .whereRef('lateQuotes.signature', '=', 'due.signature')
    .returningAll('lateQuotes')
    .execute();
}

/**
 * Keeps a quote's receipt. A repeat changes nothing.
 * @throws ContradictionError where the quote has another kind of receipt
 */
export function keep(db: Db, quoteId: string, { kind, jws }: { kind: ReceiptKind; jws: string }): Promise<void> {
  const digest = createHash('sha256').update(jws).digest('hex');
  return transaction(db, async (tx) => {
    await tx
      .insertInto('receipts')
      .values({ quoteId, kind, jws, digest })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const kept = await byQuoteId(tx, quoteId);
    if (kept?.kind !== kind) {
      throw new ContradictionError(`launch/${quoteId}`, `has a receipt that says ${kept?.kind}, and now ${kind}`);
    }
    await endLaunch(tx, quoteId);
    await tx.updateTable('lateQuotes').set({ receiptedAt: NOW }).where('quoteId', '=', quoteId).execute();
  });
}

/** No receipt is tried for the launch any more. */
export async function endLaunch(db: Db, quoteId: string): Promise<void> {
  await db.updateTable('launches').set({ receiptedAt: NOW }).where('quoteId', '=', quoteId).execute();
}

/** As {@link endLaunch}, of one submit that came too late: a forged row ends no other. */
export async function endLateQuote(db: Db, signature: string): Promise<void> {
  await db.updateTable('lateQuotes').set({ receiptedAt: NOW }).where('signature', '=', signature).execute();
}

export async function byQuoteId(db: Db, quoteId: string): Promise<KeptReceipt | null> {
  return (await db.selectFrom('receipts').selectAll().where('quoteId', '=', quoteId).executeTakeFirst()) ?? null;
}

/** As long as launches that did not land. */
const NOT_CHARGED_KEPT = sql<Date>`now() - interval '30 days'`;

/** Deletes old receipts of what was not charged: strangers make them for free. Returns how many. */
export async function discardOld(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('receipts')
    .where(sql<boolean>`kind = 'notCharged'`)
    .where('signedAt', '<', NOT_CHARGED_KEPT)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
