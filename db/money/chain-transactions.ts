/**
 * Every transaction that moves money, from its signature to its end. The order is: sign, `insertSigned`,
 * `startBroadcast`, send, mark what the chain says; each of these lies in a file beside this one.
 */

import { sql } from 'kysely';
import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { Db } from '../connect.ts';
import type { ChainTransaction } from '../schema/money.ts';

/** True while a purpose is taken: the transaction may take effect, or has. */
export function isLive(row: { status: ChainTransactionStatus; errorFinalized: boolean }): boolean {
  if (row.status === 'failed') return !row.errorFinalized;
  return row.status !== 'dead' && row.status !== 'abandoned';
}

/** All attempts of a purpose, first to last. */
export function attemptsOf(db: Db, purpose: Purpose): Promise<ChainTransaction[]> {
  return db.selectFrom('chainTransactions').selectAll().where('purpose', '=', purpose).orderBy('attempt').execute();
}

/** The one transaction that may still take or has taken effect, of each purpose that begins with `prefix`. */
export function liveByPrefix(db: Db, prefix: string): Promise<ChainTransaction[]> {
  return liveRows(db, prefix).selectAll().orderBy('purpose').execute();
}

/** The same as a query, for what reads them beside something else. */
export function liveRows(db: Db, prefix: string) {
  const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
  return db
    .selectFrom('chainTransactions')
    .where('purpose', 'like', pattern as Purpose)
    .where(sql<boolean>`status not in ('dead', 'abandoned') and not error_finalized`);
}

/** Of the live rows, how many say that they are in a block and were written within so many ms, by the database's clock. */
export async function landedWithin(db: Db, prefix: string, ms: number): Promise<number> {
  const isYoung = sql<boolean>`status in ('landed', 'finalized') and updated_at > now() - ${ms}::int * interval '1 millisecond'`;
  const { count } = await liveRows(db, prefix)
    .where(isYoung)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The transaction with this signature (base58), or null. */
export async function bySignature(db: Db, signature: string): Promise<ChainTransaction | null> {
  const rows = db.selectFrom('chainTransactions').selectAll().where('signature', '=', signature);
  return (await rows.executeTakeFirst()) ?? null;
}

/** Transactions without an end that nothing touched since `olderThan`, oldest first. */
export function unsettled(db: Db, olderThan: Date, limit = 100): Promise<ChainTransaction[]> {
  return db
    .selectFrom('chainTransactions')
    .selectAll()
    .where(
      sql<boolean>`(status in ('signed', 'broadcasting', 'landed') or (status = 'failed' and not error_finalized))`,
    )
    .where('updatedAt', '<', olderThan)
    .orderBy('updatedAt')
    .limit(limit)
    .execute();
}
