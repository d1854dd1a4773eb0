import { type RawBuilder, sql } from 'kysely';
import type { ChainTransactionStatus } from '../../domain/chain-transaction.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { Db } from '../connect.ts';

export interface TransactionKey {
  readonly purpose: Purpose;
  readonly attempt: number;
}

/** Null without a row. */
export interface KeyStatus extends TransactionKey {
  readonly status: ChainTransactionStatus | null;
}

/** `ok`: all have the wanted status. `before`: the earlier ones. */
export interface FlipResult {
  readonly ok: boolean;
  readonly before: KeyStatus[];
}

/**
 * Moves all from `signed` to `broadcasting`, or none. `ok`: they are, perhaps by an earlier call. Without `ok` none of
 * them may be sent.
 */
export function startBroadcast(db: Db, keys: readonly TransactionKey[]): Promise<FlipResult> {
  return flipAll(db, keys, 'broadcasting', sql`broadcast_at`);
}

/**
 * Moves all from `signed` to `abandoned`, or none. `ok`: they are, perhaps by an earlier call. Without `ok` one may
 * already be sent.
 */
export function abandonSigned(db: Db, keys: readonly TransactionKey[]): Promise<FlipResult> {
  return flipAll(db, keys, 'abandoned', sql`settled_at`);
}

export function whereKeyIn(keys: readonly TransactionKey[]): RawBuilder<boolean> {
  return sql<boolean>`(purpose, attempt) in (${sql.join(keys.map((key) => sql`(${key.purpose}, ${key.attempt}::integer)`))})`;
}

/** Compares keys in the order of writes and locks. */
export function compareKeys(a: TransactionKey, b: TransactionKey): number {
  if (a.purpose !== b.purpose) return a.purpose < b.purpose ? -1 : 1;
  return a.attempt - b.attempt;
}

async function flipAll(
  db: Db,
  keys: readonly TransactionKey[],
  to: 'broadcasting' | 'abandoned',
  timeColumn: RawBuilder<unknown>,
): Promise<FlipResult> {
  if (keys.length === 0) throw new RangeError(`no transactions to set to ${to}`);
  // One statement: locks the rows in key order, reads their newest version, updates all or none.
  const { rows } = await sql<TransactionKey & { status: ChainTransactionStatus }>`
    with target as materialized (
      select purpose, attempt, status from chain_transactions
      where ${whereKeyIn(keys)} order by purpose, attempt for update
    ), flipped as (
      update chain_transactions as row
      set status = ${to}, ${timeColumn} = now(), updated_at = now()
      from target
      where row.purpose = target.purpose and row.attempt = target.attempt and row.status = 'signed'
        and (select count(*) = ${keys.length} and bool_and(status in ('signed', ${to})) from target)
    )
    select purpose, attempt, status from target`.execute(db);
  const before = keys.map((key) => ({ ...key, status: statusOf(rows, key) }));
  return { ok: before.every(({ status }) => status === 'signed' || status === to), before };
}

function statusOf(rows: readonly KeyStatus[], key: TransactionKey): ChainTransactionStatus | null {
  return rows.find((row) => row.purpose === key.purpose && row.attempt === key.attempt)?.status ?? null;
}
