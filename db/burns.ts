/** Burns. They are booked once and never change; a trigger adds each to the sums of its day. */

import { type Insertable, type Selectable, sql } from 'kysely';
import type { BurnKind } from '../domain/burn.ts';
import type { Db } from './connect.ts';
import type { BurnTable } from './schema/burns.ts';

/** Tokens that the platform burned with one transaction. */
export type Burn = Selectable<BurnTable>;

/** A burn with what its token is called and counted in; null where the token is neither launched nor listed here. */
export interface ShownBurn extends Burn {
  readonly symbol: string | null;
  readonly decimals: number | null;
}

/** All burns of a token of one kind, together. */
export interface BurnTotals {
  readonly count: number;
  readonly amountRaw: bigint;
  /** What those with a price were worth, decimal string. */
  readonly valueUsd: string;
  /** Burns without a price. */
  readonly unpriced: number;
}

/** Books a burn. Throws where its transaction is booked already. */
export async function record(db: Db, burn: Insertable<BurnTable>): Promise<void> {
  await db.insertInto('burns').values(burn).execute();
}

/** The newest burns of a token of one kind, newest first. */
export function ofMint(db: Db, mint: string, kind: BurnKind, limit: number): Promise<Burn[]> {
  const burns = db.selectFrom('burns').selectAll().where('mint', '=', mint).where('kind', '=', kind);
  return burns.orderBy('burnedAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** All burns of a token of one kind, together. */
export async function totalsOf(db: Db, mint: string, kind: BurnKind): Promise<BurnTotals> {
  const { count, unpriced, amountRaw, valueUsd } = await db
    .selectFrom('burns')
    .where('mint', '=', mint)
    .where('kind', '=', kind)
    .select((eb) => [
      eb.fn.countAll<bigint>().as('count'),
      eb.fn.countAll<bigint>().filterWhere('valueUsd', 'is', null).as('unpriced'),
    ])
    .select(sql<bigint>`coalesce(sum(amount_raw), 0)::numeric(39, 0)`.as('amountRaw'))
    .select(sql<string>`coalesce(sum(value_usd), 0)::numeric(60, 10)`.as('valueUsd'))
    .executeTakeFirstOrThrow();
  return { count: Number(count), unpriced: Number(unpriced), amountRaw, valueUsd };
}

/**
 * The newest burns of these kinds, newest first, but those of hidden tokens.
 * The newest of each kind come off that kind's index; the newest of all are among them.
 */
export function newest(db: Db, kinds: readonly BurnKind[], limit: number): Promise<ShownBurn[]> {
  return db
    .selectFrom(sql<{ kind: BurnKind }>`unnest(${[...kinds]}::text[])`.as<'wanted'>(sql`wanted(kind)`))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('burns')
          .leftJoin('tokens', 'tokens.mint', 'burns.mint')
          .leftJoin('pairs', 'pairs.mint', 'burns.mint')
          .selectAll('burns')
          .select(({ fn }) => [
            fn.coalesce('tokens.symbol', 'pairs.symbol').as('symbol'),
            fn.coalesce('tokens.decimals', 'pairs.decimals').as('decimals'),
          ])
          .whereRef('burns.kind', '=', 'wanted.kind')
          .where('tokens.hidden', 'is not', true)
          .orderBy('burnedAt', 'desc')
          .orderBy('id', 'desc')
          .limit(limit)
          .as('burned'),
      (join) => join.onTrue(),
    )
    .selectAll('burned')
    .orderBy('burned.burnedAt', 'desc')
    .orderBy('burned.id', 'desc')
    .limit(limit)
    .execute();
}
