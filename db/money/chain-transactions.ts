/**
 * Every transaction that moves money. The order: sign, `insertSigned`, `startBroadcast`, send, mark what the chain
 * says.
 */

import { sql } from 'kysely';
import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { Db } from '../connect.ts';
import type { ChainTransaction } from '../schema/money.ts';

/** True if it may take effect, or has: the purpose is taken. */
export function isLive(row: { status: ChainTransactionStatus; errorFinalized: boolean }): boolean {
  switch (row.status) {
    case 'signed':
    case 'broadcasting':
    case 'landed':
    case 'finalized':
      return true;
    case 'failed':
      return !row.errorFinalized;
    case 'dead':
    case 'abandoned':
      return false;
  }
}

/** Lists attempts in order. */
export function attemptsOf(db: Db, purpose: Purpose): Promise<ChainTransaction[]> {
  return db.selectFrom('chainTransactions').selectAll().where('purpose', '=', purpose).orderBy('attempt').execute();
}

export function liveByPrefix(db: Db, prefix: string): Promise<ChainTransaction[]> {
  return liveRows(db, prefix).selectAll().orderBy('purpose').execute();
}

export function liveRows(db: Db, prefix: string) {
  const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
  return db
    .selectFrom('chainTransactions')
    .where('purpose', 'like', pattern as Purpose)
    .where(sql<boolean>`status not in ('dead', 'abandoned') and not error_finalized`);
}

/** Counts live transactions in a block, written within `ms` by the database's clock. */
export async function landedWithin(db: Db, prefix: string, ms: number): Promise<number> {
  const isYoung = sql<boolean>`status in ('landed', 'finalized') and updated_at > now() - ${ms}::int * interval '1 millisecond'`;
  const { count } = await liveRows(db, prefix)
    .where(isYoung)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function bySignature(db: Db, signature: string): Promise<ChainTransaction | null> {
  const rows = db.selectFrom('chainTransactions').selectAll().where('signature', '=', signature);
  return (await rows.executeTakeFirst()) ?? null;
}

export function slotsOf(
  db: Db,
  signatures: readonly string[],
): Promise<Pick<ChainTransaction, 'blockhashSlot' | 'slot'>[]> {
  const rows = db.selectFrom('chainTransactions').select(['blockhashSlot', 'slot']);
  return rows.where('signature', 'in', signatures).execute();
}

/** Lists unsettled transactions, unchanged since `olderThan`, oldest first. */
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
