import { randomInt } from 'node:crypto';
import type { PoolState } from '../../chain/exchange/exchange.ts';
import { chainMoment } from '../../chain/rpc/chain-moment.ts';
import type { WithheldIn } from '../../chain/tokens/holder-answer.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { PlannedTransaction, RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { spendableBase } from '../../domain/trading/spendable-price.ts';
import type { RewardDeps } from './deps.ts';
import { type Funds, fundsAtHand, fundsOfRound } from './funds.ts';
import type { RewardMarket } from './market.ts';
import { missingSnapshots } from './snapshots.ts';
import { continueLost } from './restore-plan.ts';
import { bookUnrecorded } from './unrecorded.ts';
import { withdrawalsOf } from './tax-sources.ts';
import { valuationOf } from './valuation.ts';

const SECOND_MS = 1_000;

/**
 * Plans the collection after all observations: the first visible step must come after the last. Returns the pool that
 * it used; null if there is nothing to collect.
 */
export async function planCollection(
  deps: RewardDeps,
  market: RewardMarket,
  round: RewardRound,
): Promise<PoolState | null> {
  const missing = await missingSnapshots(deps, round);
  if (missing > 0)
    throw new Error(`reward round ${round.id} lacks ${missing} observations: nothing of it may show yet`);
  await deps.lanes.learn();
  await bookUnrecorded(deps, market);
  if (await continueLost(deps, market, round)) return null;
  const known = await rewardTransactions.ofRound(deps.db, round.id);
  const first = 1 + known.reduce((last, { n }) => Math.max(last, n), -1);
  const atHand = await fundsAtHand(deps, market);
  const found = await fundsOfRound(deps, market, round.id, atHand);
  const delayMs = randomInt(0, deps.rewards.saleWindowSeconds * SECOND_MS + 1);
  const { at } = await chainMoment(deps);
  await rewardRounds.planCollection(deps.db, round.id, {
    sellAt: new Date(at.getTime() + delayMs),
    transactions: transactionsOf(found, await withdrawals(deps, market, found), first),
  });
  return atHand.pool;
}

/** Prices only if there is tax. */
async function withdrawals(deps: RewardDeps, market: RewardMarket, { tax }: Funds): Promise<(readonly WithheldIn[])[]> {
  if (tax.mintRaw === 0n && tax.accounts.length === 0) return [];
  const { averagePrice, quoteUsd, solUsd } = await valuationOf(deps, market);
  const prices = { solUsd, tokenUsd: spendableBase(averagePrice, quoteUsd), decimals: market.base.decimals };
  return withdrawalsOf(deps, market, tax, prices);
}

/** Returns the transactions in order of execution, numbered from `first`. */
function transactionsOf(
  { excessRaw, claimable, left }: Funds,
  batches: readonly (readonly WithheldIn[])[],
  first: number,
): PlannedTransaction[] {
  const hasBase = batches.length > 0 || excessRaw + claimable.baseRaw + left.baseRaw > 0n;
  const hasFees = claimable.baseRaw > 0n || claimable.quoteRaw > 0n;
  const kinds = [
    ...batches.map((batch) => ({ kind: 'tax' as const, sources: batch.map(({ account }) => account) })),
    ...(excessRaw > 0n ? [{ kind: 'excess' as const, sources: null }] : []),
    ...(hasFees ? [{ kind: 'harvest' as const, sources: null }] : []),
    ...(hasBase ? [{ kind: 'sale' as const, sources: null }] : []),
  ];
  return kinds.map((planned, index) => ({ ...planned, n: first + index }));
}
