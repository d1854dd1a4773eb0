import { NATIVE_MINT } from '@solana/spl-token';
import * as sealedLogs from '../../db/proof/sealed-logs.ts';
import type { RewardRound, RewardValuation } from '../../db/reward/reward-rounds.ts';
import * as rewardSnapshots from '../../db/reward/reward-snapshots.ts';
import { type PriceTable, readFrom, tabledPrices } from '../../domain/reward/price-table.ts';
import type { RewardDeps } from './deps.ts';
import type { RewardMarket } from './market.ts';
import { valuationOf } from './valuation.ts';

export interface PlanValuation {
  readonly valuation: RewardValuation;
  /** The sealed log that its prices in USD are from; null: they are the live ones. */
  readonly table: Pick<PriceTable, 'number' | 'root'> | null;
}

/** As {@link valuationOf}, by a price table where there is one for the round. No plan waits for it. */
export async function planValuationOf(
  deps: RewardDeps,
  round: RewardRound,
  market: RewardMarket,
): Promise<PlanValuation> {
  return byTable(deps, round, market.token.quoteMint, await valuationOf(deps, market));
}

/** Takes the prices of the newest log that was sealed before the round's last observation, if they can be used. */
export async function byTable(
  { db }: Pick<RewardDeps, 'db'>,
  { id }: Pick<RewardRound, 'id'>,
  quoteMint: string,
  live: RewardValuation,
): Promise<PlanValuation> {
  const byLive = { valuation: live, table: null };
  const last = (await rewardSnapshots.ofRound(db, id)).at(-1);
  if (!last) return byLive;
  const from = readFrom(last);
  const table = await sealedLogs.newestTableBefore(db, from);
  const tabled = table && tabledPrices(table, from, { ...live, quoteMint, solMint: NATIVE_MINT.toBase58() });
  if (!tabled) return byLive;
  const { number, root } = table;
  return { valuation: { ...live, ...tabled }, table: { number, root } };
}
