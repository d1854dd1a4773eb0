import { sql } from 'kysely';
import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { Purpose } from '../../domain/purpose.ts';
import { abandon, startBroadcast, type TransactionKey } from './chain-transaction-batches.ts';
import { insertSigned, type NewChainTransaction } from './chain-transaction-insert.ts';
import {
  type Failure,
  markDead,
  markFailed,
  markFinalized,
  markLanded,
  markUnlanded,
} from './chain-transaction-marks.ts';
import type { Db } from '../connect.ts';
import type { ChainTransaction } from '../schema.ts';

export type ChainTransactionRepository = ReturnType<typeof createChainTransactionRepository>;

/**
 * Every transaction that moves money, from its signature to its end. The order is: sign, `insertSigned`,
 * `startBroadcast`, send, mark what the chain says. See the functions for what each promises.
 */
export function createChainTransactionRepository(db: Db) {
  return {
    insertSigned: (rows: readonly NewChainTransaction[]) => insertSigned(db, rows),
    startBroadcast: (keys: readonly TransactionKey[]) => startBroadcast(db, keys),
    abandon: (keys: readonly TransactionKey[]) => abandon(db, keys),
    markLanded: (signature: string, slot: bigint) => markLanded(db, signature, slot),
    markUnlanded: (signature: string) => markUnlanded(db, signature),
    markFinalized: (signature: string, slot: bigint) => markFinalized(db, signature, slot),
    markFailed: (signature: string, failure: Failure) => markFailed(db, signature, failure),
    markDead: (signature: string) => markDead(db, signature),
    /** All attempts of a purpose, first to last. */
    attemptsOf: (purpose: Purpose) => attemptsOf(db, purpose),
    /** The one transaction that may still take or has taken effect, of each purpose that begins with `prefix`. */
    liveByPrefix: (prefix: string) => liveByPrefix(db, prefix),
    bySignature: (signature: string) => bySignature(db, signature),
    /** Transactions without an end that nothing touched since `olderThan`, oldest first. */
    unsettled: (olderThan: Date, limit = 100) => unsettled(db, olderThan, limit),
  };
}

/** True while a purpose is taken: the transaction may take effect, or has. */
export function isLive(row: { status: ChainTransactionStatus; errorFinalized: boolean }): boolean {
  if (row.status === 'failed') return !row.errorFinalized;
  return row.status !== 'dead' && row.status !== 'abandoned';
}

function attemptsOf(db: Db, purpose: Purpose): Promise<ChainTransaction[]> {
  return db.selectFrom('chainTransactions').selectAll().where('purpose', '=', purpose).orderBy('attempt').execute();
}

function liveByPrefix(db: Db, prefix: string): Promise<ChainTransaction[]> {
  const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
  return db
    .selectFrom('chainTransactions')
    .selectAll()
    .where('purpose', 'like', pattern as Purpose)
    .where(sql<boolean>`status not in ('dead', 'abandoned') and not error_finalized`)
    .orderBy('purpose')
    .execute();
}

async function bySignature(db: Db, signature: string): Promise<ChainTransaction | null> {
  const rows = db.selectFrom('chainTransactions').selectAll().where('signature', '=', signature);
  return (await rows.executeTakeFirst()) ?? null;
}

function unsettled(db: Db, olderThan: Date, limit: number): Promise<ChainTransaction[]> {
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
