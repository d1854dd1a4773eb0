import { NATIVE_MINT } from '@solana/spl-token';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import type { DueRewardToken } from '../../db/reward/reward-tokens.ts';
import { SOL_DECIMALS } from '../../domain/amounts.ts';
import { priceInUsd, worthUsd } from '../../domain/pool-price.ts';
import { reachesUsd } from '../../domain/reward/usd-amounts.ts';
import { averageOf } from '../trading/average.ts';
import { observedPrice } from '../trading/observed-price.ts';
import type { RewardDeps } from './deps.ts';
import { type Funds, fundsAtHand, fundsOf } from './funds.ts';
import { readRewardMarket, type RewardMarket } from './market.ts';
import { rewardRoundId } from './round-id.ts';
import { bookStrays } from './strays.ts';
import { withdrawalsOf } from './tax-sources.ts';

/** What a token's first round pays beyond its fees, measured: the rent of the pot's token accounts. */
const POT_LAMPORTS = 4_400_000n;

/** Tokens that are looked at at once. */
const LOOKS_AT_ONCE = 4;

/** Tokens that are looked at in one step. */
const PAGE = 100;

/** What a step of planning did. */
export interface RewardPlans {
  /** Ids of the rounds that it planned. */
  readonly planned: readonly string[];
  /** The pool to go on after; null where this was the last page. */
  readonly next: string | null;
}

/**
 * Looks at a page of reward tokens whose pools changed since they were looked at, and plans a round for each for whose holders
 * something has come together. Of a token that nobody traded nothing is asked.
 */
export async function planRewardPage(deps: RewardDeps, after: string): Promise<RewardPlans> {
  const page = await rewardTokens.due(deps.db, after, PAGE);
  return { planned: await planAll(deps, page), next: page.length < PAGE ? null : (page.at(-1)?.pool ?? null) };
}

/** Does the same for some of the tokens that nobody traded for long; answers the ids of the rounds that it planned. */
export async function planQuietRewards(deps: RewardDeps): Promise<readonly string[]> {
  return planAll(deps, await rewardTokens.quiet(deps.db, deps.rewards.tokensPerRun));
}

async function planAll(deps: RewardDeps, tokens: readonly DueRewardToken[]): Promise<string[]> {
  if (tokens.length === 0) return [];
  await deps.lanes.learn();
  const planned = await inParallel(LOOKS_AT_ONCE, tokens, (token) => {
    deps.heartbeat();
    return planFor(deps, token);
  });
  return planned.filter((id) => id !== null);
}

/** As runs plan that began before pages: the first page. Answers the ids of all open rounds, oldest first. */
export async function planRewardRounds(deps: RewardDeps): Promise<string[]> {
  await planRewardPage(deps, '');
  return openRounds(deps);
}

/** Ids of all open rounds, oldest first. */
export async function openRounds({ db }: Pick<RewardDeps, 'db'>): Promise<string[]> {
  return (await rewardRounds.open(db)).map(({ id }) => id);
}

/** The id of the round that was planned, if any. A token that cannot be looked at keeps no other one waiting; it comes again with the next run. */
async function planFor(deps: RewardDeps, token: DueRewardToken): Promise<string | null> {
  const { mint } = token;
  try {
    const planned = await planOne(deps, token);
    await rewardTokens.noteLook(deps.db, mint, true);
    return planned;
  } catch (error) {
    deps.logger.warn({ err: error, mint }, 'a reward token could not be looked at');
    await rewardTokens.noteLook(deps.db, mint, false);
    return null;
  }
}

/** Writes a plan where one is due. Where none is, the token is left alone until its pool changes. */
async function planOne(deps: RewardDeps, token: DueRewardToken): Promise<string | null> {
  const { mint } = token;
  const market = await readRewardMarket(deps, mint);
  const strays = await bookStrays(deps, market);
  if (strays.length > 0) {
    // They may not have come alone: the rest has landed, or is dead, when the next run looks.
    deps.logger.debug({ mint, strays: strays.length }, 'the books lacked transactions of a reward token');
    return null;
  }
  const number = 1 + (await rewardRounds.lastNumber(deps.db, mint));
  if (!(await isDue(deps, market, number))) {
    await rewardTokens.noteNotDue(deps.db, token);
    return null;
  }
  const { slot } = await deps.rpc.finalHead();
  const id = rewardRoundId(mint, number);
  const planned = await rewardRounds.plan(deps.db, { id, mint, number, openedSlot: BigInt(slot) });
  return planned ? id : null;
}

/** All accounts of the token are asked for only where what is at hand does not do. */
async function isDue(deps: RewardDeps, market: RewardMarket, number: number): Promise<boolean> {
  const atHand = await fundsAtHand(deps, market);
  if (await isWorthARound(deps, market, atHand, number)) return true;
  return isWorthARound(deps, market, await fundsOf(deps, market, atHand), number);
}

/** It brings the least payout, and a token's first round what the pot costs beside that; tax that is not worth its withdrawal brings nothing. */
async function isWorthARound(deps: RewardDeps, market: RewardMarket, funds: Funds, number: number): Promise<boolean> {
  const { tax, excessRaw, claimable, left } = funds;
  const otherRaw = excessRaw + claimable.baseRaw + left.baseRaw;
  const quoteRaw = claimable.quoteRaw + left.quoteRaw;
  if (sumOf(tax.accounts) + tax.mintRaw + otherRaw + quoteRaw <= 0n) return false;
  const [averagePrice, { usd: quoteUsd }, { usd: solUsd }] = await Promise.all([
    averageOf(deps, market.token.mint, deps.rewards.averageMinutes),
    observedPrice(deps, market.token.quoteMint),
    observedPrice(deps, NATIVE_MINT.toBase58()),
  ]);
  const { decimals } = market.base;
  const tokenUsd = priceInUsd(averagePrice, quoteUsd);
  const taxRaw = sumOf(withdrawalsOf(deps, market, tax, { solUsd, tokenUsd, decimals }).flat());
  const parts = [worthUsd(taxRaw + otherRaw, decimals, tokenUsd), worthUsd(quoteRaw, market.quote.decimals, quoteUsd)];
  const costs = number === 1 ? [worthUsd(POT_LAMPORTS, SOL_DECIMALS, solUsd)] : [];
  return reachesUsd(parts, [deps.rewards.minPayoutUsd, ...costs]);
}

function sumOf(tax: readonly { readonly raw: bigint }[]): bigint {
  return tax.reduce((sum, { raw }) => sum + raw, 0n);
}
