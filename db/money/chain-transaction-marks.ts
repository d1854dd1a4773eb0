import { sql } from 'kysely';
import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { Db } from '../connect.ts';
import type { ChainTransaction } from '../schema/money.ts';

/**
 * `moved`: changed. `already`: it had this status. `refused`: its `status` contradicts the mark, for instance proven
 * dead but landed; the caller must raise that.
 */
export interface MarkResult {
  readonly outcome: 'moved' | 'already' | 'refused';
  readonly status: ChainTransactionStatus;
}

export interface Mark {
  /** base58 */
  readonly signature: string;
  readonly status: 'broadcasting' | 'landed' | 'finalized' | 'failed';
  /** Null in no block. */
  readonly slot: bigint | null;
  /** As text. */
  readonly error: string | null;
  readonly errorFinalized: boolean;
}

export interface Failure {
  /** As text. */
  readonly error: string;
  readonly slot: bigint;
  /** Until then the purpose stays taken: it may succeed on another fork. */
  readonly finalized: boolean;
}

const NOWHERE = { slot: null, error: null, errorFinalized: false } as const;

/** Mark of a landed transaction. It may follow `signed`: a restored database may not know that it was sent. */
export function landed(signature: string, slot: bigint): Mark {
  return { ...NOWHERE, signature, slot, status: 'landed' };
}

/** A fork removed it: it may land again or die. */
export function unlanded(signature: string): Mark {
  return { ...NOWHERE, signature, status: 'broadcasting' };
}

export function finalized(signature: string, slot: bigint): Mark {
  return { ...NOWHERE, signature, slot, status: 'finalized' };
}

/** The fee was charged, nothing else happened. */
export function failed(signature: string, { error, slot, finalized: errorFinalized }: Failure): Mark {
  return { signature, slot, error, errorFinalized, status: 'failed' };
}

/** Earlier statuses of each mark. */
const FROM: Record<Mark['status'], readonly ChainTransactionStatus[]> = {
  broadcasting: ['landed', 'failed'],
  landed: ['signed', 'broadcasting', 'landed', 'failed'],
  finalized: ['signed', 'broadcasting', 'landed', 'failed'],
  failed: ['signed', 'broadcasting', 'landed', 'failed'],
};

/** True if the row already has the mark's values. */
export function says(row: ChainTransaction, { status, slot, errorFinalized }: Mark): boolean {
  return row.status === status && row.slot === slot && row.errorFinalized === errorFinalized;
}

/** @throws without such a transaction */
export async function mark(db: Db, wanted: Mark): Promise<MarkResult> {
  const moved = await markAll(db, [wanted]);
  return moved.length > 0 ? { outcome: 'moved', status: wanted.status } : unmoved(db, wanted.signature, wanted.status);
}

/** Marks it dead as the caller has proven. Refused if it is in a block. */
export async function markDead(db: Db, signature: string): Promise<MarkResult> {
  const moved = await db
    .updateTable('chainTransactions')
    .set({ status: 'dead', settledAt: sql`now()`, updatedAt: sql`now()` })
    .where('signature', '=', signature)
    .where('status', 'in', ['signed', 'broadcasting', 'failed'])
    .where('errorFinalized', '=', false)
    .returning('status')
    .executeTakeFirst();
  return moved ? { outcome: 'moved', status: moved.status } : unmoved(db, signature, 'dead');
}

export async function markAll(db: Db, marks: readonly Mark[]): Promise<string[]> {
  if (marks.length === 0) return [];
  const signatures = sql.join(marks.map(({ signature }) => sql`${signature}`));
  const { rows } = await sql<{ signature: string }>`
    with target as materialized (
      select signature from chain_transactions where signature in (${signatures}) order by purpose, attempt for update
    )
    update chain_transactions as row
    set status = mark.status, slot = mark.slot, error = mark.error, error_finalized = mark.error_finalized,
      landed_at = case mark.status when 'broadcasting' then null when 'landed' then now() else coalesce(row.landed_at, now()) end,
      settled_at = case when mark.status = 'finalized' or mark.error_finalized then now() end, updated_at = now()
    from target join (values ${sql.join(marks.map(rowOf))}) as mark (signature, status, slot, error, error_finalized, from_statuses)
      using (signature)
    where row.signature = mark.signature and row.status = any (mark.from_statuses) and not row.error_finalized
      and (row.status, row.slot, row.error_finalized) is distinct from (mark.status, mark.slot, mark.error_finalized)
    returning row.signature`.execute(db);
  return rows.map(({ signature }) => signature);
}

function rowOf({ signature, status, slot, error, errorFinalized }: Mark) {
  return sql`(${signature}::text, ${status}::text, ${slot}::bigint, ${error}::text, ${errorFinalized}::boolean, ${FROM[status]}::text[])`;
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
