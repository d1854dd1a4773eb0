/**
 * Submitted too late; no launch began. A row is the proof behind "not charged": its quote is never accepted. Strangers
 * create rows for free, so they hold no terms, are limited, and last a day.
 */

import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { LateQuoteTable } from '../schema/launch.ts';

export type LateQuote = Selectable<LateQuoteTable>;

/** The facts of a late submit. */
export type LateRow = Omit<Insertable<LateQuoteTable>, 'client' | 'refusedAt' | 'receiptAfter' | 'receiptedAt'> & {
  readonly client: string | null;
};

/** Limits per network address, and in total. */
export interface LateLimits {
  readonly perClient: number;
  readonly inAll: number;
}

/** Too many late submits are kept; nothing was written. */
export class TooManyLateError extends Error {
  constructor(limit: number) {
    super(`${limit} late submits are kept already`);
    this.name = 'TooManyLateError';
  }
}

/** Maximum signatures per quote: a wallet signs once, or a few times when it retries. */
const MOST_SIGNATURES = 5;

/** Its blockhash expired long ago: its quote can never be accepted. */
const GIVES_WAY = sql<Date>`now() - interval '10 minutes'`;

const KEPT = sql<Date>`now() - interval '1 day'`;

export async function byQuoteId(db: Db, quoteId: string): Promise<LateQuote | null> {
  const rows = db.selectFrom('lateQuotes').selectAll().where('quoteId', '=', quoteId).orderBy('refusedAt');
  return (await rows.limit(1).executeTakeFirst()) ?? null;
}

export async function bySignature(db: Db, signature: string): Promise<LateQuote | null> {
  const row = db.selectFrom('lateQuotes').selectAll().where('signature', '=', signature);
  return (await row.executeTakeFirst()) ?? null;
}

/**
 * A repeat with another signature adds it.
 *
 * @throws TooManyLateError without room for a new quote
 */
export async function add(tx: Db, late: LateRow, limits: LateLimits) {
  const known = await count(tx, 'quoteId', late.quoteId);
  if (known >= MOST_SIGNATURES) return;
  if (known === 0) await makeRoom(tx, late.client, limits);
  await tx
    .insertInto('lateQuotes')
    .values(late)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Callers are serialized, so that the limits are exact. */
async function makeRoom(tx: Db, client: string | null, { perClient, inAll }: LateLimits): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('late-quotes', 0))`.execute(tx);
  if (client !== null && (await count(tx, 'client', client)) >= perClient) {
    await tx.deleteFrom('lateQuotes').where('client', '=', client).where('refusedAt', '<', GIVES_WAY).execute();
    if ((await count(tx, 'client', client)) >= perClient) throw new TooManyLateError(perClient);
  }
  if ((await count(tx)) >= inAll) {
    await tx.deleteFrom('lateQuotes').where('refusedAt', '<', GIVES_WAY).execute();
    if ((await count(tx)) >= inAll) throw new TooManyLateError(inAll);
  }
}

async function count(tx: Db, column?: 'quoteId' | 'client', value: string = ''): Promise<number> {
  const { rows } = await tx
    .selectFrom('lateQuotes')
    .select((eb) => eb.fn.countAll<bigint>().as('rows'))
    .$if(column !== undefined, (query) => query.where(column!, '=', value))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

/** Deletes late quotes older than a day; returns how many. */
export async function discardOld(db: Db): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('lateQuotes').where('refusedAt', '<', KEPT).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
