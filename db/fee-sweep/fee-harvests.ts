/** Harvests. They are booked once and never change; a trigger adds each to the sums of its day. */

import type { Insertable, Selectable } from 'kysely';
import type { FeeSweepKey } from '../../domain/fee-sweep/fee-sweep.ts';
import type { Db } from '../connect.ts';
import type { FeeHarvestTable } from '../schema/fee-sweep.ts';

/** A finalized harvest of a position of the platform. */
export type FeeHarvest = Selectable<FeeHarvestTable>;

/** A harvest with what its amounts are counted in. */
export interface ShownHarvest extends FeeHarvest {
  readonly symbol: string;
  readonly decimals: number;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
}

/** Books what a harvest brought. Throws where it is booked already. */
export async function record(db: Db, harvest: Insertable<FeeHarvestTable>): Promise<void> {
  await db.insertInto('feeHarvests').values(harvest).execute();
}

/** The harvest of a sweep, or null. */
export async function byKey(db: Db, { mint, number }: FeeSweepKey): Promise<FeeHarvest | null> {
  const harvests = db.selectFrom('feeHarvests').selectAll().where('mint', '=', mint).where('number', '=', number);
  return (await harvests.executeTakeFirst()) ?? null;
}

/** The newest harvests, newest first, but those of hidden tokens. */
export function newest(db: Db, limit: number): Promise<ShownHarvest[]> {
  return db
    .selectFrom('feeHarvests')
    .innerJoin('tokens', 'tokens.mint', 'feeHarvests.mint')
    .innerJoin('pairs', 'pairs.mint', 'feeHarvests.quoteMint')
    .selectAll('feeHarvests')
    .where('tokens.hidden', '=', false)
    .select(['tokens.symbol', 'tokens.decimals', 'tokens.quoteSymbol', 'pairs.decimals as quoteDecimals'])
    .orderBy('harvestedAt', 'desc')
    .orderBy('purpose', 'desc')
    .limit(limit)
    .execute();
}
