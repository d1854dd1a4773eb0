import { sql, type Transaction } from 'kysely';
import type { Database } from '../schema/database.ts';
import { limitReached, type Opener, type OpenerLimits, type ReachedLimit } from './opener-limits.ts';

/** A creator or a network address has as many unpaid launches under way as it may have; nothing was written. */
export class TooManyOpenError extends Error {
  readonly whose: ReachedLimit['whose'];
  readonly limit: number;

  constructor({ whose, key, limit }: ReachedLimit) {
    super(`${whose} ${key} has ${limit} unpaid launches under way`);
    this.name = 'TooManyOpenError';
    this.whose = whose;
    this.limit = limit;
  }
}

/**
 * Refuses a launch that this database transaction has just inserted where it is one too many of those that are under way and not
 * known to be paid. @throws TooManyOpenError
 */
export async function assertMayOpen(tx: Transaction<Database>, opener: Opener, limits: OpenerLimits): Promise<void> {
  const reached = await limitReached(tx, 'open-launches', opener, limits, (launches) =>
    launches.where(sql<boolean>`state in ('received', 'preparing', 'landing')`),
  );
  if (reached) throw new TooManyOpenError(reached);
}
