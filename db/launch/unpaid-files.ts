import { sql, type Transaction } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import type { Database } from '../schema/database.ts';

/** How many launches may have their files stored within a day without being paid. */
export interface UnpaidFilesLimits {
  readonly perCreator: number;
  readonly perClient: number;
}

/** Whose limit is reached, and which it is. */
export interface UnpaidFilesLimit {
  readonly whose: 'creator' | 'client';
  readonly key: string;
  readonly limit: number;
}

/**
 * Notes that storing a launch's files begins. Where too many of the same creator or network address were stored in the last 24 hours
 * and not paid, this notes nothing and answers the limit. A launch that began before goes on.
 */
export async function beginStoring(
  db: Db,
  quoteId: string,
  limits: UnpaidFilesLimits,
): Promise<UnpaidFilesLimit | null> {
  return transaction(db, async (tx) => {
    const { creator, client, filesStoredAt } = await tx
      .selectFrom('launches')
      .select(['creator', 'client', 'filesStoredAt'])
      .where('quoteId', '=', quoteId)
      .executeTakeFirstOrThrow();
    if (filesStoredAt !== null) return null;
    const reached =
      (await limitOf(tx, 'creator', creator, limits.perCreator)) ??
      (client === null ? null : await limitOf(tx, 'client', client, limits.perClient));
    if (!reached)
      await tx
        .updateTable('launches')
        .set({ filesStoredAt: sql`now()` })
        .where('quoteId', '=', quoteId)
        .execute();
    return reached;
  });
}

/** Of concurrent launches of the same creator or address one waits for the other, so the limits are exact. */
async function limitOf(tx: Transaction<Database>, whose: 'creator' | 'client', key: string, limit: number) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`unpaid-files/${whose}/${key}`}, 0))`.execute(tx);
  const { stored } = await tx
    .selectFrom('launches')
    .select((eb) => eb.fn.countAll<bigint>().as('stored'))
    .where(whose, '=', key)
    .where('filesStoredAt', '>', sql<Date>`now() - interval '24 hours'`)
    // Literals, so that the planner can tell that the partial index applies.
    .where(sql<boolean>`state in ('preparing', 'landing', 'not_landed')`)
    .executeTakeFirstOrThrow();
  return stored < BigInt(limit) ? null : { whose, key, limit };
}
