import { sql, type Transaction } from 'kysely';
import type { Db } from '../connect.ts';
import { mayTakePlace } from '../../domain/launch/fair-share.ts';
import type { Database } from '../schema/database.ts';
import { limitReached, type Opener, type OpenerLimits, type ReachedLimit } from './opener-limits.ts';

export interface UnpaidLaunchLimits extends OpenerLimits {
  /** One network may take a share of the free places (`mayTakePlace`). */
  readonly inAll: number;
}

/**
 * A limit is reached: of a creator, address, wider network, in total, or of a network's share (`share`). Nothing was
 * written.
 */
export class TooManyUnpaidError extends Error {
  readonly whose: ReachedLimit['whose'] | 'all' | 'share';
  readonly limit: number;

  constructor({ whose, key, limit }: ReachedLimit | { whose: 'all' | 'share'; key: string; limit: number }) {
    super(`${whose} ${key} has ${limit} unpaid launches under way`);
    this.name = 'TooManyUnpaidError';
    this.whose = whose;
    this.limit = limit;
  }
}

const isUnpaid = sql<boolean>`state in ('received', 'preparing', 'landing')`;

/**
 * The total takes no lock, so simultaneous commits may exceed it.
 *
 * @throws TooManyUnpaidError
 */
export async function assertMayOpen(
  tx: Transaction<Database>,
  opener: Opener,
  limits: UnpaidLaunchLimits,
): Promise<void> {
  const reached = await limitReached(tx, 'unpaid-launches', opener, limits, (launches) => launches.where(isUnpaid));
  if (reached) throw new TooManyUnpaidError(reached);
  const { inAll } = limits;
  const { taken, own } = await placesTaken(tx, opener);
  if (taken >= inAll) throw new TooManyUnpaidError({ whose: 'all', key: 'together', limit: inAll });
  if (!mayTakePlace({ inAll, taken, own }))
    throw new TooManyUnpaidError({ whose: 'share', key: broadestKeyOf(opener).key, limit: own });
}

async function placesTaken(tx: Transaction<Database>, opener: Opener): Promise<{ taken: number; own: number }> {
  const { column, key } = broadestKeyOf(opener);
  const { taken, own } = await tx
    .selectFrom('launches')
    .where(isUnpaid)
    .where('quoteId', '!=', opener.quoteId)
    .select((eb) => [
      eb.fn.countAll<bigint>().as('taken'),
      eb.fn.countAll<bigint>().filterWhere(column, '=', key).as('own'),
    ])
    .executeTakeFirstOrThrow();
  return { taken: Number(taken), own: Number(own) };
}

/** The key most expensive to get another of. */
function broadestKeyOf({ creator, client, clientNetwork }: Opener) {
  if (clientNetwork !== null) return { column: 'clientNetwork', key: clientNetwork } as const;
  return client === null
    ? ({ column: 'creator', key: creator } as const)
    : ({ column: 'client', key: client } as const);
}

/** Blocks other launches of the creator from asking until the transaction ends. */
export async function lockOpenPayments(tx: Db, creator: string, except: string): Promise<bigint> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`open-payments/${creator}`}, 0))`.execute(tx);
  return openPaymentsOf(tx, creator, except);
}

export async function openPaymentsOf(db: Db, creator: string, except: string): Promise<bigint> {
  const { lamports } = await db
    .selectFrom('launches')
    .where('creator', '=', creator)
    .where('quoteId', '!=', except)
    .where(sql<boolean>`state in ('preparing', 'landing')`)
    .select(sql<bigint>`coalesce(sum(payment_lamports), 0)::numeric(39, 0)`.as('lamports'))
    .executeTakeFirstOrThrow();
  return lamports;
}
