import { NATIVE_MINT } from '@solana/spl-token';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import { SOL_DECIMALS } from '../../domain/amounts.ts';
import { priceInUsd, worthUsd } from '../../domain/pool-price.ts';
import { reachesUsd } from '../../domain/reward/usd-amounts.ts';
import { averageOf } from '../trading/average.ts';
import { observedPrice } from '../trading/observed-price.ts';
import type { RewardDeps } from './deps.ts';
import { type Funds, lookForFunds } from './funds.ts';
import { readRewardMarket, type RewardMarket } from './market.ts';
import { rewardRoundId } from './round-id.ts';
import { bookStrays } from './strays.ts';

/** What a token's first round pays beyond its fees, measured: the rent of the pot's token accounts. */
const POT_LAMPORTS = 4_400_000n;

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
  const number = 1 + (await rewardRounds.lastNumber(deps.db, mint));
  if (!(await isWorthARound(deps, market, found, number)))
    return 'what has come together is less than a round is worth';
  const { slot } = await deps.rpc.agreedHead('finalized');
  const id = rewardRoundId(mint, number);
  const planned = await rewardRounds.plan(deps.db, { id, mint, number, openedSlot: BigInt(slot) });
  return planned ? undefined : 'a round is open';
}

/** It brings the least payout, and a token's first round what the pot costs beside that. */
async function isWorthARound(deps: RewardDeps, market: RewardMarket, funds: Funds, number: number): Promise<boolean> {
  const { tax, excessRaw, claimable, left } = funds;
  const baseRaw = tax.reduce((sum, { raw }) => sum + raw, excessRaw + claimable.baseRaw + left.baseRaw);
  const quoteRaw = claimable.quoteRaw + left.quoteRaw;
  if (baseRaw + quoteRaw <= 0n) return false;
  const [averagePrice, { usd: quoteUsd }, { usd: solUsd }] = await Promise.all([
    averageOf(deps, market.token.mint, deps.rewards.averageMinutes),
    observedPrice(deps, market.token.quoteMint),
    observedPrice(deps, NATIVE_MINT.toBase58()),
  ]);
  const parts = [
    worthUsd(baseRaw, market.base.decimals, priceInUsd(averagePrice, quoteUsd)),
    worthUsd(quoteRaw, market.quote.decimals, quoteUsd),
  ];
  const costs = number === 1 ? [worthUsd(POT_LAMPORTS, SOL_DECIMALS, solUsd)] : [];
  return reachesUsd(parts, [deps.rewards.minPayoutUsd, ...costs]);
}
