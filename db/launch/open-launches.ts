import { sql, type Transaction } from 'kysely';
import type { Database } from '../schema/database.ts';

/** How many launches may be under way that are not known to be paid. */
export interface OpenLimits {
  readonly perCreator: number;
  readonly perClient: number;
}

/** A creator or a network address has as many unpaid launches under way as it may have; nothing was written. */
export class TooManyOpenError extends Error {
  readonly whose: 'creator' | 'client';
  readonly limit: number;

  constructor(whose: 'creator' | 'client', key: string, limit: number) {
    super(`${whose} ${key} has ${limit} unpaid launches under way`);
    this.name = 'TooManyOpenError';
    this.whose = whose;
    this.limit = limit;
  }
}

/** Whose launch it is, and where it was submitted from. */
export interface Opener {
  readonly creator: string;
  readonly client?: string;
}

/**
 * Refuses a launch that this database transaction has just inserted where it is one too many. Of concurrent ones of the same
 * creator or client one waits for the other, so the limits are exact. @throws TooManyOpenError
 */
export async function assertMayOpen(tx: Transaction<Database>, opener: Opener, limits: OpenLimits): Promise<void> {
  const { creator, client } = opener;
  await assertWithin(tx, 'creator', creator, limits.perCreator);
  if (client !== undefined) await assertWithin(tx, 'client', client, limits.perClient);
}

async function assertWithin(tx: Transaction<Database>, whose: 'creator' | 'client', key: string, limit: number) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`open-launches/${whose}/${key}`}, 0))`.execute(tx);
  const { open } = await tx
    .selectFrom('launches')
    .select((eb) => eb.fn.countAll<bigint>().as('open'))
    .where(whose, '=', key)
    // Literals, so that the planner can tell that the partial index applies.
    .where(sql<boolean>`state in ('received', 'preparing', 'landing')`)
    .executeTakeFirstOrThrow();
  if (open > BigInt(limit)) throw new TooManyOpenError(whose, key, limit);
}
