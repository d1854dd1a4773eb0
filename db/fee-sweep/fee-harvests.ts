/** Recorded once, never changed; a trigger adds each to its day's sums. */

import type { Insertable, Selectable } from 'kysely';
import type { FeeSweepKey } from '../../domain/fee-sweep/fee-sweep.ts';
import type { Db } from '../connect.ts';
import type { FeeHarvestTable } from '../schema/fee-sweep.ts';

export type FeeHarvest = Selectable<FeeHarvestTable>;

export interface ShownHarvest extends FeeHarvest {
  readonly symbol: string;
  readonly decimals: number;
  readonly quoteSymbol: string;
  readonly quoteDecimals: number;
}

/** @throws when already recorded */
export async function record(db: Db, harvest: Insertable<FeeHarvestTable>): Promise<void> {
  await db.insertInto('feeHarvests').values(harvest).execute();
}

export async function byKey(db: Db, { mint, number }: FeeSweepKey): Promise<FeeHarvest | null> {
  const harvests = db.selectFrom('feeHarvests').selectAll().where('mint', '=', mint).where('number', '=', number);
  return (await harvests.executeTakeFirst()) ?? null;
}

/** Lists harvests without hidden tokens, newest first. */
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
