/**
 * Shared by a movement of money and a decision to end it. A movement takes it in `assertDue`, in the transaction that
 * persists its signed bytes. Code that ends a purpose takes it first, then checks for signed bytes: every such function
 * takes an {@link Unsigned}.
 */

import { sql } from 'kysely';
import { movesMoney, type Purpose } from '../../domain/purpose.ts';
import type { Db } from '../connect.ts';

const locked: unique symbol = Symbol('locked');
const proven: unique symbol = Symbol('proven');

/** Locked rows that decide whether movements are due; locked until `tx` ends. */
export interface DueLock<Row = unknown> {
  readonly tx: Db;
  /** Under the lock. */
  readonly row: Row;
  readonly purposes: readonly Purpose[];
  readonly [locked]: true;
}

/** Proof under the lock: no transaction of these purposes can take effect, and none has moved money. */
export interface Unsigned<Row = unknown> extends DueLock<Row> {
  readonly [proven]: true;
}

/** A transaction may take effect, or is final and not recorded. */
export class PurposeSignedError extends Error {
  constructor({ purpose, signature, status }: SignedPurpose) {
    super(
      status === 'finalized'
        ? `${purpose} is final as ${signature}, and has yet to be booked`
        : `${purpose} is ${status} as ${signature}; it can be ended once that has ended`,
    );
    this.name = 'PurposeSignedError';
  }
}

interface SignedPurpose {
  readonly purpose: string;
  readonly signature: string;
  readonly status: string;
}

/**
 * `read` must select the deciding rows `for update`, or `for share` where movements of other purposes depend on the
 * row. Null when `read` finds them not due. Needs a transaction.
 */
export async function takeDueLock<Row>(
  tx: Db,
  purposes: (row: Row) => readonly Purpose[],
  read: (tx: Db) => Promise<Row | null | undefined>,
): Promise<DueLock<Row> | null> {
  if (!tx.isTransaction) throw new Error('a lock lasts as long as its database transaction: begin one first');
  const row = await read(tx);
  if (row === undefined || row === null) return null;
  return { tx, row, purposes: purposes(row), [locked]: true };
}

/** @throws PurposeSignedError */
export async function proveUnsigned<Row>(lock: DueLock<Row>): Promise<Unsigned<Row>> {
  const signed = await signedAmong(lock);
  if (signed) throw new PurposeSignedError(signed);
  return { ...lock, [proven]: true };
}

/** Null when a purpose cannot be ended. */
export async function unsignedOrNull<Row>(lock: DueLock<Row>): Promise<Unsigned<Row> | null> {
  return (await signedAmong(lock)) ? null : { ...lock, [proven]: true };
}

/** A separate statement: it must see commits made while waiting. */
async function signedAmong({ tx, purposes }: DueLock): Promise<SignedPurpose | undefined> {
  if (purposes.length === 0) return undefined;
  const booked = purposes.filter(movesMoney);
  const { rows } = await sql<SignedPurpose>`
    select purpose, signature, status from chain_transactions
    where purpose = any(${[...purposes]}::text[]) and status not in ('dead', 'abandoned') and not error_finalized
      and (status <> 'finalized' or purpose = any(${booked}::text[]))
    union all
    select purpose, signature, 'finalized' from lane_steps
    where purpose = any(${booked}::text[]) and state = 'done'
    limit 1`.execute(tx);
  return rows[0];
}
