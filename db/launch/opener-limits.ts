import { type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../schema/database.ts';

/** Limits per creator, network address and wider network. */
export interface OpenerLimits {
  readonly perCreator: number;
  readonly perClient: number;
  /** Per IPv6 /48. */
  readonly perNetwork: number;
}

export interface Opener {
  readonly quoteId: string;
  readonly creator: string;
  readonly client: string | null;
  readonly clientNetwork: string | null;
}

export interface ReachedLimit {
  readonly whose: 'creator' | 'client' | 'clientNetwork';
  readonly key: string;
  readonly limit: number;
}

/** Literals, for partial indexes. */
type Condition = <Selected>(
  launches: SelectQueryBuilder<Database, 'launches', Selected>,
) => SelectQueryBuilder<Database, 'launches', Selected>;

/**
 * Null if one more fits. Serializes checks `about` a subject per creator and address until the transaction ends: limits
 * are exact.
 */
export async function limitReached(
  tx: Transaction<Database>,
  about: string,
  { quoteId, creator, client, clientNetwork }: Opener,
  limits: OpenerLimits,
  counts: Condition,
): Promise<ReachedLimit | null> {
  const bounds: ReachedLimit[] = [{ whose: 'creator', key: creator, limit: limits.perCreator }];
  if (client !== null) bounds.push({ whose: 'client', key: client, limit: limits.perClient });
  if (clientNetwork !== null) bounds.push({ whose: 'clientNetwork', key: clientNetwork, limit: limits.perNetwork });
  const locks = bounds.map(
    ({ whose, key }) => sql`pg_advisory_xact_lock(hashtextextended(${`${about}/${whose}/${key}`}, 0))`,
  );
  await sql`select ${sql.join(locks)}`.execute(tx);
  // A statement of its own: it must see what was committed before the locks were there.
  const others = await tx
    .selectNoFrom(
      bounds.map(({ whose, key }) =>
        counts(tx.selectFrom('launches').where(whose, '=', key))
          .where('quoteId', '!=', quoteId)
          .select((eb) => eb.fn.countAll<bigint>().as('others'))
          .as(whose),
      ),
    )
    .executeTakeFirstOrThrow();
  return bounds.find(({ whose, limit }) => (others[whose] ?? 0n) >= BigInt(limit)) ?? null;
}
