import { sql, type UpdateObject } from 'kysely';
import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { Db } from '../connect.ts';
import type { Database } from '../schema/database.ts';

/**
 * `moved`: the row changed · `already`: it said so before · `refused`: the row is in a status that contradicts it
 * (for instance a transaction proven dead that landed); a caller must raise that. `status` is what the row says now.
 */
export interface MarkResult {
  readonly outcome: 'moved' | 'already' | 'refused';
  readonly status: ChainTransactionStatus;
}

/** An error of a transaction that is in a block. */
export interface Failure {
  /** The chain's error, as text. */
  readonly error: string;
  readonly slot: bigint;
  /** True when that block is finalized. Until then the purpose stays taken: on another fork it may succeed. */
  readonly finalized: boolean;
}

type Change = UpdateObject<Database, 'chainTransactions'>;

/** The transaction is in a block without an error. From `signed` too: a restored database may not know that it was sent. */
export function markLanded(db: Db, signature: string, slot: bigint): Promise<MarkResult> {
  return mark(db, signature, ['signed', 'broadcasting', 'landed', 'failed'], {
    status: 'landed',
    slot,
    error: null,
    landedAt: sql`now()`,
  });
}

/** A fork took the transaction out of its block: it may land again or die. */
export function markUnlanded(db: Db, signature: string): Promise<MarkResult> {
  return mark(db, signature, ['landed', 'failed'], { status: 'broadcasting', slot: null, error: null, landedAt: null });
}

/** The transaction took effect for ever. */
export function markFinalized(db: Db, signature: string, slot: bigint): Promise<MarkResult> {
  return mark(db, signature, ['signed', 'broadcasting', 'landed', 'failed'], {
    status: 'finalized',
    slot,
    error: null,
    landedAt: sql`coalesce(landed_at, now())`,
    settledAt: sql`now()`,
  });
}

/** The transaction is in a block with an error; its fee was charged, nothing else happened. */
export function markFailed(db: Db, signature: string, { error, slot, finalized }: Failure): Promise<MarkResult> {
  return mark(db, signature, ['signed', 'broadcasting', 'landed', 'failed'], {
    status: 'failed',
    error,
    slot,
    errorFinalized: finalized,
    landedAt: sql`coalesce(landed_at, now())`,
    settledAt: finalized ? sql`now()` : null,
  });
}

/** The transaction can never land any more; the caller has the proof. One that is in a block is refused. */
export function markDead(db: Db, signature: string): Promise<MarkResult> {
  return mark(db, signature, ['signed', 'broadcasting', 'failed'], { status: 'dead', settledAt: sql`now()` });
}

async function mark(
  db: Db,
  signature: string,
  from: readonly ChainTransactionStatus[],
  change: Change & { status: ChainTransactionStatus },
): Promise<MarkResult> {
  const { status, slot = null, errorFinalized = false } = change;
  const moved = await db
    .updateTable('chainTransactions')
    .set({ ...change, updatedAt: sql`now()` })
    .where('signature', '=', signature)
    .where('status', 'in', from)
    .where('errorFinalized', '=', false)
    .where(
      sql<boolean>`(status, slot, error_finalized) is distinct from (${status}, ${slot}::bigint, ${errorFinalized})`,
    )
    .returning('status')
    .executeTakeFirst();
  return moved ? { outcome: 'moved', status: moved.status } : unmoved(db, signature, status);
}

async function unmoved(db: Db, signature: string, wanted: ChainTransactionStatus): Promise<MarkResult> {
  const row = await db
    .selectFrom('chainTransactions')
    .select('status')
    .where('signature', '=', signature)
    .executeTakeFirst();
  if (!row) throw new Error(`no transaction with signature ${signature}`);
  return { outcome: row.status === wanted ? 'already' : 'refused', status: row.status };
}
