import { sql, type Transaction } from 'kysely';
import { compareKeys, type TransactionKey, whereKeyIn } from './chain-transaction-batches.ts';
import { type Db, transaction } from '../connect.ts';
import type { Database } from '../schema/database.ts';
import type { ChainTransaction } from '../schema/money.ts';

/** Attempts count from 1. */
export interface NewChainTransaction extends TransactionKey {
  /** First, base58. */
  readonly signature: string;
  readonly wire: Uint8Array;
  readonly blockhash: string;
  readonly blockhashSlot: bigint;
  readonly lastValidBlockHeight: bigint;
}

/**
 * `present`: exactly these existed, a repeat. `conflict`: none was written: `existing` rows have the same attempt or
 * signature, or are live attempts of the purpose. Go on with those; the new ones must never be sent.
 */
export type InsertSignedResult =
  | { readonly outcome: 'inserted' | 'present' }
  | { readonly outcome: 'conflict'; readonly existing: ChainTransaction[] };

/** Inserts all or none, before any is sent. */
export function insertSigned(db: Db, rows: readonly NewChainTransaction[]): Promise<InsertSignedResult> {
  return transaction(db, async (tx) => {
    const written = await insertFree(tx, rows);
    if (written.length === rows.length) return { outcome: 'inserted' };
    // Explicitly: the caller's transaction may continue.
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
      // A fixed order, against deadlocks.
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
