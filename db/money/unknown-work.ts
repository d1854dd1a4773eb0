/** Launches and claims that a quorum shows and no row names, and how far histories were read for them. */

import { type Insertable, type Selectable, sql } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import type { UnknownWorkTable } from '../schema/reconcile.ts';

export type UnknownWork = Selectable<UnknownWorkTable>;
export type NewUnknownWork = Omit<Insertable<UnknownWorkTable>, 'foundAt' | 'closedAt'>;

/** The last slot of a wallet's history (base58) that was read whole; null before the first time. */
export async function readUpTo(db: Db, address: string): Promise<bigint | null> {
  const row = await db.selectFrom('readHistories').select('slot').where('address', '=', address).executeTakeFirst();
  return row?.slot ?? null;
}

/** Keeps what a range of a history showed together with its end: a crash between them reads the range again. */
export function noteRead(
  db: Db,
  { address, slot }: { readonly address: string; readonly slot: bigint },
  found: readonly NewUnknownWork[],
): Promise<void> {
  return transaction(db, async (tx) => {
    await note(tx, found);
    await sql`
      insert into read_histories (address, slot) values (${address}, ${slot})
      on conflict (address) do update set slot = greatest(read_histories.slot, excluded.slot)`.execute(tx);
  });
}

/** Keeps the first of each subject. */
export async function note(db: Db, found: readonly NewUnknownWork[]): Promise<void> {
  if (found.length === 0) return;
  await db
    .insertInto('unknownWork')
    .values([...found])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Lists what is still unknown and not closed, oldest first; forgets launches that have a row by now. */
export async function standing(db: Db): Promise<UnknownWork[]> {
  await sql`delete from unknown_work using launches where launches.quote_id = unknown_work.quote_id`.execute(db);
  const open = db.selectFrom('unknownWork').selectAll().where('closedAt', 'is', null);
  return open.orderBy('slot').orderBy('subject').execute();
}

export async function bySubject(db: Db, subject: string): Promise<UnknownWork | null> {
  return (await db.selectFrom('unknownWork').selectAll().where('subject', '=', subject).executeTakeFirst()) ?? null;
}

/** Finds a launch by its payment. */
export async function byPayment(db: Db, paymentSignature: string): Promise<UnknownWork | null> {
  const row = await db
    .selectFrom('unknownWork')
    .selectAll()
    .where('paymentSignature', '=', paymentSignature)
    .executeTakeFirst();
  return row ?? null;
}

export async function setPayment(db: Db, subject: string, paymentSignature: string): Promise<void> {
  await db.updateTable('unknownWork').set({ paymentSignature }).where('subject', '=', subject).execute();
}

/** An operator has taken note of it. False if it is not open. A launch's payment keeps its answer. */
export async function close(db: Db, subject: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('unknownWork')
    .set({ closedAt: sql`now()` })
    .where('subject', '=', subject)
    .where('closedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Of these signatures, those that the ledger has. */
export async function knownSignatures(db: Db, signatures: readonly string[]): Promise<ReadonlySet<string>> {
  if (signatures.length === 0) return new Set();
  const { rows } = await sql<{ signature: string }>`
    select signature from chain_transactions where signature = any(${[...signatures]}::text[])`.execute(db);
  return new Set(rows.map(({ signature }) => signature));
}

/** Of these quotes, those that have a launch. */
export async function knownQuotes(db: Db, quoteIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (quoteIds.length === 0) return new Set();
  const { rows } = await sql<{ quoteId: string }>`
    select quote_id from launches where quote_id = any(${[...quoteIds]}::uuid[])`.execute(db);
  return new Set(rows.map(({ quoteId }) => quoteId));
}

/** The slot at which a first comparison begins: the newest launch's quote. Null before the first launch. */
export async function newestQuoteSlot(db: Db): Promise<bigint | null> {
  const { rows } = await sql<{ slot: bigint }>`
    select (terms->'payment'->>'blockhashSlot')::bigint as slot from launches order by submitted_at desc limit 1`.execute(
    db,
  );
  return rows[0]?.slot ?? null;
}
