import { sql, type Transaction } from 'kysely';
import { compareKeys, type TransactionKey, whereKeyIn } from './chain-transaction-batches.ts';
import { type Db, transaction } from '../connect.ts';
import type { Database } from '../schema/database.ts';
import type { ChainTransaction } from '../schema/money.ts';

/** A transaction that was just signed; attempts of a purpose count from 1. */
export interface NewChainTransaction extends TransactionKey {
  /** First signature of the transaction, base58. */
  readonly signature: string;
  readonly wire: Uint8Array;
  readonly blockhash: string;
  /** Slot at which the blockhash was read. */
  readonly blockhashSlot: bigint;
  readonly lastValidBlockHeight: bigint;
}

/**
 * `inserted`: all rows are new · `present`: exactly these rows were there already, a repeat of the same call ·
 * `conflict`: none was written, because `existing` are in the way (the same attempt, signature, or a live attempt of the
 * same purpose): go on with those instead of the new ones, which nobody may send.
 */
export type InsertSignedResult =
  | { readonly outcome: 'inserted' | 'present' }
  | { readonly outcome: 'conflict'; readonly existing: ChainTransaction[] };

/** Persists a batch of signed transactions, all or none, before any of them is sent. */
export function insertSigned(db: Db, rows: readonly NewChainTransaction[]): Promise<InsertSignedResult> {
  return transaction(db, async (tx) => {
    const written = await insertFree(tx, rows);
    if (written.length === rows.length) return { outcome: 'inserted' };
    // Undone by hand and not by a rollback: the caller's own transaction may go on.
    if (written.length > 0) await tx.deleteFrom('chainTransactions').where(whereKeyIn(written)).execute();
    const existing = await inTheWayOf(tx, rows);
    const present = rows.every((row) => existing.some((other) => isSame(row, other)));
    return present && existing.length === rows.length ? { outcome: 'present' } : { outcome: 'conflict', existing };
  });
}

function insertFree(tx: Transaction<Database>, rows: readonly NewChainTransaction[]): Promise<TransactionKey[]> {
  return (
    tx
      .insertInto('chainTransactions')
      // One order for everybody, so that two batches with the same purposes cannot deadlock.
      .values(rows.map(columnsOf).sort(compareKeys))
      .onConflict((conflict) => conflict.doNothing())
      .returning(['purpose', 'attempt'])
      .execute()
  );
}

function columnsOf(row: NewChainTransaction) {
  const { purpose, attempt, signature, wire, blockhash, blockhashSlot, lastValidBlockHeight } = row;
  return { purpose, attempt, signature, wire, blockhash, blockhashSlot, lastValidBlockHeight };
}

function inTheWayOf(tx: Transaction<Database>, rows: readonly NewChainTransaction[]): Promise<ChainTransaction[]> {
  const signatures = rows.map((row) => row.signature);
  const purposes = rows.map((row) => row.purpose);
  return tx
    .selectFrom('chainTransactions')
    .selectAll()
    .where((eb) =>
      eb.or([
        whereKeyIn(rows),
        eb('signature', 'in', signatures),
        eb('purpose', 'in', purposes).and(sql<boolean>`status not in ('dead', 'abandoned') and not error_finalized`),
      ]),
    )
    .orderBy('purpose')
    .orderBy('attempt')
    .execute();
}

function isSame(row: NewChainTransaction, other: ChainTransaction): boolean {
  return row.purpose === other.purpose && row.attempt === other.attempt && row.signature === other.signature;
}
