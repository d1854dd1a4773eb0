import { type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../schema/database.ts';

/** How many launches in some condition a creator and a network address may have. */
export interface OpenerLimits {
  readonly perCreator: number;
  readonly perClient: number;
}

/** Whose launch it is, and where it was submitted from, as far as that is known. */
export interface Opener {
  readonly quoteId: string;
  readonly creator: string;
  readonly client: string | null;
}

/** Whose limit is reached, and which it is. */
export interface ReachedLimit {
  readonly whose: 'creator' | 'client';
  readonly key: string;
  readonly limit: number;
}

/** Narrows launches to those that count. In literals where an index is partial, so that the planner can tell that it applies. */
type Condition = <Selected>(
  launches: SelectQueryBuilder<Database, 'launches', Selected>,
) => SelectQueryBuilder<Database, 'launches', Selected>;

/**
 * The first limit that the opener's other launches in this condition have reached; null where there is room for one more. Until
 * the database transaction ends, another one of the same creator or address that asks `about` the same waits, so limits are exact.
 */
export async function limitReached(
  tx: Transaction<Database>,
  about: string,
  { quoteId, creator, client }: Opener,
  limits: OpenerLimits,
  counts: Condition,
): Promise<ReachedLimit | null> {
  const bounds: ReachedLimit[] = [{ whose: 'creator', key: creator, limit: limits.perCreator }];
  if (client !== null) bounds.push({ whose: 'client', key: client, limit: limits.perClient });
  for (const bound of bounds) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${about}/${bound.whose}/${bound.key}`}, 0))`.execute(tx);
    const { others } = await counts(tx.selectFrom('launches').where(bound.whose, '=', bound.key))
      .where('quoteId', '!=', quoteId)
      .select((eb) => eb.fn.countAll<bigint>().as('others'))
      .executeTakeFirstOrThrow();
    if (others >= BigInt(bound.limit)) return bound;
  }
  return null;
}
