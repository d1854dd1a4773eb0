import { chainMoment } from '../../chain/rpc/chain-moment.ts';
import type { Stamp } from '../../chain/lanes/stamp.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import type { RewardRound } from '../../db/reward/reward-rounds.ts';
import * as rewardTransactions from '../../db/reward/reward-transactions.ts';
import { agreedAverageOf } from '../trading/average.ts';
import { MarketRefusedError } from '../trading/order.ts';
import { buildMarketSwap, sendAsBundle } from '../trading/swap.ts';
import { moveAndBook } from './book.ts';
import type { RewardDeps } from './deps.ts';
import { readRewardMarket } from './market.ts';

/** Sells as much as the limits allow; the rest stays for the next round. Returns 0, or the ms until the sale is due. */
export async function sellRewards(deps: RewardDeps, round: RewardRound): Promise<number> {
  // A restored round may have a second sale that the chain already had.
  const all = await rewardTransactions.ofRound(deps.db, round.id);
  const sale = all.find(({ kind, state }) => kind === 'sale' && state === 'planned');
  if (!sale) return 0;
  if (round.sellAt === null) throw new Error(`the sale of reward round ${round.id} has no moment`);
  // A machine's clock may be hours off: a round would wait as long, also after the clock is right again.
  const { at } = await chainMoment(deps);
  const waitMs = round.sellAt.getTime() - at.getTime();
  if (waitMs > 0) return waitMs;
  // A harvest opens both accounts, and only the pot can close them.
  const isOutputOpen = all.some(({ kind, state }) => kind === 'harvest' && state === 'done');
  await rewardRounds.noteSale(deps.db, round.id, await sell(deps, round, sale.n, isOutputOpen));
  return 0;
}

/** Returns a note: why nothing was sold, or what is left; null if all was sold. */
async function sell(deps: RewardDeps, round: RewardRound, n: number, isOutputOpen: boolean): Promise<string | null> {
  const market = await readRewardMarket(deps, round.mint);
  const { base, quote, pool, pot: wallet } = market;
  const { baseRaw: mostRaw } = await rewardTransactions.funds(deps.db, round.mint);
  const { limits, averageMinutes } = deps.rewards;
  const order = { base, quote, pool, wallet, side: 'sell', mostRaw, limits } as const;
  let refusal = 'nothing could be sold';
  const build = async (stamp: Stamp) => {
    const averagePrice = await agreedAverageOf(deps, round.mint, averageMinutes);
    await rewardRounds.noteSaleAverage(deps.db, round.id, averagePrice);
    return buildMarketSwap(deps, { ...order, averagePrice, payer: deps.signers.platform, isOutputOpen }, stamp);
  };
  const sold = await moveAndBook(deps, {
    round,
    market,
    n,
    build: (stamp) =>
      build(stamp).catch((error: unknown) => {
        if (!(error instanceof MarketRefusedError)) throw error;
        refusal = error.message;
        return null;
      }),
    send: (wire) => sendAsBundle(deps, wire),
  });
  if (sold) return restNote(deps, round, mostRaw);
  deps.logger.warn({ roundId: round.id, reason: refusal }, 'collected rewards are not sold in this round');
  return refusal;
}

async function restNote({ db }: RewardDeps, { mint }: RewardRound, mostRaw: bigint): Promise<string | null> {
  const { baseRaw } = await rewardTransactions.funds(db, mint);
  return baseRaw > 0n ? `${baseRaw} of ${mostRaw} raw units are left for the next round` : null;
}
