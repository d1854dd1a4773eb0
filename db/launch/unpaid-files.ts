import { sql } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import { limitReached, type OpenerLimits, type ReachedLimit } from './opener-limits.ts';

/**
 * Records that files are being stored. With too many files stored in 24 hours and unpaid, by creator or network
 * address, records nothing and returns the limit. A launch that began continues.
 */
export async function beginStoring(db: Db, quoteId: string, limits: OpenerLimits): Promise<ReachedLimit | null> {
  return transaction(db, async (tx) => {
    const { filesStoredAt, ...opener } = await tx
      .selectFrom('launches')
      .select(['quoteId', 'creator', 'client', 'clientNetwork', 'filesStoredAt'])
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
