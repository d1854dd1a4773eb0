import { NATIVE_MINT } from '@solana/spl-token';
import { inParallel } from '../../chain/rpc/in-parallel.ts';
import * as rewardRounds from '../../db/reward/reward-rounds.ts';
import * as rewardTokens from '../../db/reward/reward-tokens.ts';
import type { DueRewardToken } from '../../db/reward/reward-tokens.ts';
import { SOL_DECIMALS } from '../../domain/amounts.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { windowAfter } from '../../domain/reward/draw.ts';
import { reachesUsd } from '../../domain/reward/usd-amounts.ts';
import { averageOf } from '../trading/average.ts';
import type { RewardDeps } from './deps.ts';
import { type Funds, fundsAtHand, fundsOf } from './funds.ts';
import { readRewardMarket, type RewardMarket } from './market.ts';
import { rewardRoundId } from './round-id.ts';
import { bookUnrecorded, unrecordedAccounts } from './unrecorded.ts';
import { withdrawalsOf } from './tax-sources.ts';
import { spendableBase } from '../../domain/trading/spendable-price.ts';

/** Lamports of a token's first round beyond its fees: rent of the pot's accounts. */
const POT_LAMPORTS = 4_400_000n;

const LOOKS_AT_ONCE = 4;

const PAGE = 100;

export interface RewardPlans {
  readonly planned: readonly string[];
  /** Null on the last page. */
  readonly next: string | null;
}

/** Tokens without trades cost no request. */
export async function planRewardPage(deps: RewardDeps, after: string): Promise<RewardPlans> {
  const page = await rewardTokens.due(deps.db, after, PAGE);
  return { planned: await planAll(deps, page), next: page.length < PAGE ? null : (page.at(-1)?.pool ?? null) };
}

/** Plans rounds of tokens without recent trades, and looks at those of which the chain has movements without a row. */
export async function planQuietRewards(deps: RewardDeps): Promise<readonly string[]> {
  const quiet = await rewardTokens.quiet(deps.db, deps.rewards.tokensPerRun);
  const lost = await rewardTokens.ofPots(deps.db, await unrecordedAccounts(deps));
  return planAll(deps, [...quiet, ...lost.filter(({ mint }) => quiet.every((one) => one.mint !== mint))]);
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

/** Oldest first, with those that only the chain showed. */
export async function openRounds({ db }: Pick<RewardDeps, 'db'>): Promise<string[]> {
  await rewardRounds.reopenFound(db);
  return (await rewardRounds.open(db)).map(({ id }) => id);
}

/** A failing token does not block the others. */
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

/** A token that is not due is skipped until its pool changes. */
async function planOne(deps: RewardDeps, token: DueRewardToken): Promise<string | null> {
  const { mint } = token;
  const market = await readRewardMarket(deps, mint);
  const strays = await bookUnrecorded(deps, market);
  if (strays > 0) {
    // There may be more: by the next run they have landed or expired.
    deps.logger.debug({ mint, strays }, 'the books lacked transactions of a reward token');
    return null;
  }
  // A sealed round that only the chain showed comes first: what it owes is in the pot. `openRounds` opens it.
  if (await rewardRounds.oldestWithoutPlan(deps.db, mint)) return null;
  const number = 1 + (await rewardRounds.lastNumber(deps.db, mint));
  if (!(await isDue(deps, market, number))) {
    await rewardTokens.noteNotDue(deps.db, token);
    return null;
  }
  const slot = await deps.rpc.finalHead();
  const id = rewardRoundId(mint, number);
  const window = windowAfter(slot, deps.rewards.snapshotWindowSlots);
  const planned = await rewardRounds.plan(deps.db, { id, mint, number, openedSlot: BigInt(slot), window });
  return planned ? id : null;
}

async function isDue(deps: RewardDeps, market: RewardMarket, number: number): Promise<boolean> {
  const atHand = await fundsAtHand(deps, market);
  if (await isWorthARound(deps, market, atHand, number)) return true;
  return isWorthARound(deps, market, await fundsOf(deps, market, atHand), number);
}

/**
 * True if the round brings the least payout, plus the pot's cost for a first round. Tax below its withdrawal cost
 * counts as nothing.
 */
async function isWorthARound(deps: RewardDeps, market: RewardMarket, funds: Funds, number: number): Promise<boolean> {
  const { tax, excessRaw, claimable, left } = funds;
  const otherRaw = excessRaw + claimable.baseRaw + left.baseRaw;
  const quoteRaw = claimable.quoteRaw + left.quoteRaw;
  if (sumOf(tax.accounts) + tax.mintRaw + otherRaw + quoteRaw <= 0n) return false;
  const [averagePrice, { usd: quoteUsd }, { usd: solUsd }] = await Promise.all([
    averageOf(deps, market.token.mint, deps.rewards.averageMinutes),
    deps.spendablePrices.of(market.token.quoteMint),
    deps.spendablePrices.of(NATIVE_MINT.toBase58()),
  ]);
  const { decimals } = market.base;
  const tokenUsd = spendableBase(averagePrice, quoteUsd);
  const taxRaw = sumOf(withdrawalsOf(deps, market, tax, { solUsd, tokenUsd, decimals }).flat());
  const parts = [worthUsd(taxRaw + otherRaw, decimals, tokenUsd), worthUsd(quoteRaw, market.quote.decimals, quoteUsd)];
  const costs = number === 1 ? [worthUsd(POT_LAMPORTS, SOL_DECIMALS, solUsd)] : [];
  return reachesUsd(parts, [deps.rewards.minPayoutUsd, ...costs]);
}

function sumOf(tax: readonly { readonly raw: bigint }[]): bigint {
  return tax.reduce((sum, { raw }) => sum + raw, 0n);
}
