/** Keyed by the sha256 (hex) of their document. */

import { sql } from 'kysely';
import type { Db } from '../connect.ts';

/** Keeps the document for a month: the launch may wait for an operator. */
export function keepForLaunch(db: Db, hash: string): Promise<boolean> {
  return extend(db, hash, sql<Date>`now() + interval '1 month'`);
}

/** Keeps the document while the airdrop is delivered, and after. */
export function keepForEver(db: Db, hash: string): Promise<boolean> {
  return extend(db, hash, sql<Date>`'infinity'`);
}

/** A quote lives one minute; each prepare can create a document, so unused ones expire soon. */
const FIVE_MINUTES = sql<Date>`now() + interval '5 minutes'`;

/** The database rejects a document that does not match its hash. */
export async function keep(db: Db, hash: string, document: Uint8Array): Promise<void> {
  // Most quotes share a snapshot: the document is sent once.
  if (await extend(db, hash, FIVE_MINUTES)) return;
  await db
    .insertInto('recipientSets')
    .values({ hash, document, keepUntil: FIVE_MINUTES })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute();
}

/** Extends how long the document is kept; never shortens it. False without such a document. */
async function extend(db: Db, hash: string, until: typeof FIVE_MINUTES): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recipientSets')
    .set((eb) => ({ keepUntil: sql<Date>`greatest(${eb.ref('keepUntil')}, ${until})` }))
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function byHash(db: Db, hash: string): Promise<Buffer | null> {
  const row = await db.selectFrom('recipientSets').select('document').where('hash', '=', hash).executeTakeFirst();
  return row?.document ?? null;
}

export async function discardExpired(db: Db): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('recipientSets')
    .where('keepUntil', '<', sql<Date>`now()`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
