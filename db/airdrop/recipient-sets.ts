/** Frozen recipients of airdrops, under the sha256 (hex) of their document. */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Keeps a document for a month, because a launch was submitted with it: it may wait for an operator. */
export function keepForLaunch(db: Db, hash: string): Promise<boolean> {
  return extend(db, hash, sql<Date>`now() + interval '1 month'`);
}

/** Keeps a document for ever, because it is delivered to. */
export function keepForEver(db: Db, hash: string): Promise<boolean> {
  return extend(db, hash, sql<Date>`'infinity'`);
}

/** A quote lives a minute. Whoever prepares can make a document each time, so that none is kept much longer. */
const FIVE_MINUTES = sql<Date>`now() + interval '5 minutes'`;

/** Keeps a document for five minutes. The database refuses one that has another hash. */
export async function keep(db: Db, hash: string, document: Uint8Array): Promise<void> {
  // Most quotes share a snapshot: the document is sent once.
  if (await extend(db, hash, FIVE_MINUTES)) return;
  await db
    .insertInto('recipientSets')
    .values({ hash, document, keepUntil: FIVE_MINUTES })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}

/** Never less long than before; false when there is no such document. */
async function extend(db: Db, hash: string, until: typeof FIVE_MINUTES): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recipientSets')
    .set((eb) => ({ keepUntil: sql<Date>`greatest(${eb.ref('keepUntil')}, ${until})` }))
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The document with this hash, or null. */
export async function byHash(db: Db, hash: string): Promise<Buffer | null> {
  const row = await db.selectFrom('recipientSets').select('document').where('hash', '=', hash).executeTakeFirst();
  return row?.document ?? null;
}

/** Deletes what need not be kept any more; answers how many. */
export async function discardExpired(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('recipientSets')
    .where('keepUntil', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
