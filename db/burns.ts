/** Recorded once, never changed; triggers add each to its token's and day's sums. */

import { BigNumber } from 'bignumber.js';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { BurnKind } from '../domain/burn.ts';
import type { Db } from './connect.ts';
import type { BurnTable } from './schema/burns.ts';

export type Burn = Selectable<BurnTable>;

/** Null if the token is neither launched nor listed here. */
export interface ShownBurn extends Burn {
  readonly symbol: string | null;
  readonly decimals: number | null;
}

export interface BurnTotals {
  readonly burns: number;
  readonly amountRaw: bigint;
  readonly valueUsd: string;
  /** Burns without a price. */
  readonly unpriced: number;
  readonly lastBurnedAt: Date | null;
}

export interface KindTotals {
  readonly kind: BurnKind;
  readonly burns: number;
  readonly unpriced: number;
  readonly valueUsd: string;
  /** Over all mints, exact decimal. */
  readonly amountTokens: string;
}

export interface AllBurns {
  readonly kinds: readonly KindTotals[];
  /** Number of burned tokens. */
  readonly mints: number;
}

/** @throws when already recorded */
export async function record(db: Db, burn: Insertable<BurnTable>): Promise<void> {
  await db.insertInto('burns').values(burn).execute();
}

/** Newest first. */
export function ofMint(db: Db, mint: string, limit: number): Promise<Burn[]> {
  const burns = db.selectFrom('burns').selectAll().where('mint', '=', mint);
  return burns.orderBy('burnedAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

export async function totalsOf(db: Db, mint: string): Promise<BurnTotals> {
  const { rows } = await sql<BurnTotals>`
    select coalesce(sum(burns), 0)::integer as burns, coalesce(sum(unpriced), 0)::integer as unpriced,
      coalesce(sum(amount_raw), 0)::numeric(39, 0) as amount_raw, coalesce(sum(value_usd), 0)::numeric(60, 10) as value_usd,
      max(last_burned_at) as last_burned_at
    from burn_sums where mint = ${mint}`.execute(db);
  const [totals] = rows;
  if (!totals) throw new Error(`the sums of the burns of ${mint} have no row`);
  return totals;
}

interface BurnSums {
  readonly kind: BurnKind;
  readonly decimals: number;
  readonly mints: number;
  readonly burns: number;
  readonly unpriced: number;
  readonly amountRaw: bigint;
  readonly valueUsd: string;
}

/**
 * Sums burns, one row per token and kind; kinds without burns are left out. A token no longer launched or listed
 * counts in its smallest unit.
 */
export async function all(db: Db): Promise<AllBurns> {
  const [{ rows }, mints] = await Promise.all([
    sql<BurnSums>`
      select kind, coalesce(tokens.decimals, pairs.decimals, 0) as decimals, count(*)::integer as mints,
        sum(burns)::integer as burns, sum(unpriced)::integer as unpriced, sum(amount_raw)::numeric(39, 0) as amount_raw,
        sum(value_usd)::numeric(60, 10) as value_usd
      from burn_sums left join tokens on tokens.mint = burn_sums.mint left join pairs on pairs.mint = burn_sums.mint
      group by 1, 2`.execute(db),
    db
      .selectFrom('burnSums')
      .select((eb) => eb.fn.count<bigint>('mint').distinct().as('mints'))
      .executeTakeFirstOrThrow(),
  ]);
  const kinds = [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, sums]) => sumOf(kind, sums));
  return { kinds, mints: Number(mints.mints) };
}

/** Sums all burns from one row per day and kind. */
export async function countAll(db: Db): Promise<Pick<BurnTotals, 'burns' | 'valueUsd'>> {
  const { rows } = await sql<Pick<BurnTotals, 'burns' | 'valueUsd'>>`
    select coalesce(sum(burns), 0)::integer as burns, trim_scale(coalesce(sum(value_usd), 0))::text as value_usd
    from burn_days`.execute(db);
  const [totals] = rows;
  if (!totals) throw new Error('the sums of all burns have no row');
  return totals;
}

function sumOf(kind: BurnKind, sums: readonly BurnSums[]): KindTotals {
  const amounts = sums.map(({ amountRaw, decimals }) => new BigNumber(amountRaw.toString()).shiftedBy(-decimals));
  return {
    kind,
    burns: sums.reduce((total, { burns }) => total + burns, 0),
    unpriced: sums.reduce((total, { unpriced }) => total + unpriced, 0),
    valueUsd: BigNumber.sum(0, ...sums.map(({ valueUsd }) => valueUsd)).toFixed(),
    amountTokens: BigNumber.sum(0, ...amounts).toFixed(),
  };
}

/** Lists burns of these kinds, without hidden tokens; each from its kind's index. */
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
