import { inParallel } from '../../chain/rpc/in-parallel.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import { priceInUsd, worthUsd } from '../../domain/pool-price.ts';
import { reachesUsd } from '../../domain/reward/usd-amounts.ts';
import { averageOf } from '../trading/average.ts';
import { observedPrice } from '../trading/observed-price.ts';
import type { RewardDeps } from './deps.ts';
import { type Funds, lookForFunds } from './funds.ts';
import { readRewardMarket, type RewardMarket } from './market.ts';
import { rewardRoundId } from './round-id.ts';
import { bookStrays } from './strays.ts';

/** Tokens that are looked at at once. */
const LOOKS_AT_ONCE = 4;

/**
 * Plans a round for each reward token for whose holders something has come together. Answers the ids of all open rounds, oldest
 * first: also those that an earlier run has left.
 */
export async function planRewardRounds(deps: RewardDeps): Promise<string[]> {
  await deps.lanes.learn();
  const due = await rewardTokens.due(deps.db, deps.rewards.tokensPerRun);
  await inParallel(LOOKS_AT_ONCE, due, async ({ mint }) => {
    deps.heartbeat();
    await planFor(deps, mint);
  });
  return openRounds(deps);
}

/** Ids of all open rounds, oldest first. */
export async function openRounds({ db }: Pick<RewardDeps, 'db'>): Promise<string[]> {
  return (await rewardRounds.open(db)).map(({ id }) => id);
}

/** A token that cannot be looked at keeps no other one waiting; it comes again with the next run. */
async function planFor(deps: RewardDeps, mint: string): Promise<void> {
  try {
    const problem = await planOrExplain(deps, mint);
    deps.logger.debug({ mint, problem }, problem === undefined ? 'reward round planned' : 'no reward round is due');
  } catch (error) {
    deps.logger.warn({ err: error, mint }, 'a reward token could not be looked at');
  }
  await rewardTokens.noteLook(deps.db, mint);
}

/** Writes a plan where one is due; answers why not otherwise. */
async function planOrExplain(deps: RewardDeps, mint: string): Promise<string | undefined> {
  const market = await readRewardMarket(deps, mint);
  // What was found may not have come alone: the rest has landed, or is dead, when the next run looks.
  const strays = await bookStrays(deps, market);
  if (strays.length > 0) return `${strays.length} transactions were found that the books lacked`;
  const found = await lookForFunds(deps, market);
  if (!(await isWorthARound(deps, market, found))) return 'what has come together is less than the least payout';
  const { slot } = await deps.rpc.head('finalized');
  const number = 1 + (await rewardRounds.lastNumber(deps.db, mint));
  const id = rewardRoundId(mint, number);
  const planned = await rewardRounds.plan(deps.db, { id, mint, number, openedSlot: BigInt(slot) });
  return planned ? undefined : 'a round is open';
}

async function isWorthARound(deps: RewardDeps, market: RewardMarket, { tax, excessRaw, claimable, left }: Funds) {
  const baseRaw = tax.reduce((sum, { raw }) => sum + raw, excessRaw + claimable.baseRaw + left.baseRaw);
  const quoteRaw = claimable.quoteRaw + left.quoteRaw;
  if (baseRaw + quoteRaw <= 0n) return false;
  const [averagePrice, { usd: quoteUsd }] = await Promise.all([
    averageOf(deps, market.token.mint, deps.rewards.averageMinutes),
    observedPrice(deps, market.token.quoteMint),
  ]);
  const parts = [
    worthUsd(baseRaw, market.base.decimals, priceInUsd(averagePrice, quoteUsd)),
    worthUsd(quoteRaw, market.quote.decimals, quoteUsd),
  ];
  return reachesUsd(parts, deps.rewards.minPayoutUsd);
}
