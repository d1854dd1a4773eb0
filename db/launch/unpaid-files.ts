import { sql } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import { limitReached, type OpenerLimits, type ReachedLimit } from './opener-limits.ts';

/**
 * Notes that storing a launch's files begins. Where too many of the same creator or network address were stored in the last 24 hours
 * and not paid, this notes nothing and answers the limit. A launch that began before goes on.
 */
export async function beginStoring(db: Db, quoteId: string, limits: OpenerLimits): Promise<ReachedLimit | null> {
  return transaction(db, async (tx) => {
    const { filesStoredAt, ...opener } = await tx
      .selectFrom('launches')
      .select(['quoteId', 'creator', 'client', 'filesStoredAt'])
      .where('quoteId', '=', quoteId)
      .executeTakeFirstOrThrow();
    if (filesStoredAt !== null) return null;
    const reached = await limitReached(tx, 'unpaid-files', opener, limits, (launches) =>
      launches
        .where('filesStoredAt', '>', sql<Date>`now() - interval '24 hours'`)
        .where(sql<boolean>`state in ('preparing', 'landing', 'not_landed')`),
    );
    if (reached) return reached;
    await tx
      .updateTable('launches')
      .set({ filesStoredAt: sql`now()` })
      .where('quoteId', '=', quoteId)
      .execute();
    return null;
  });
}
