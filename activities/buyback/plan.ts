import * as buybackBudgets from '../../db/buyback/buyback-budgets.ts';
import type { BuybackBudget } from '../../db/buyback/buyback-budgets.ts';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import { type BuybackRound, lockBuybackPlans } from '../../db/buyback/buyback-rounds.ts';
import * as chainTransactions from '../../db/money/chain-transactions.ts';
import { isLive } from '../../db/money/chain-transactions.ts';
import { type Db, transaction } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import { buybackSwapPurpose } from '../../domain/buyback/buyback.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { isWorth } from '../../domain/usd-value.ts';
import { createPlannedPrices, type PlanPrice } from '../trading/planned-prices.ts';
import type { BuybackDeps } from './deps.ts';
import { bookLostPurchases } from './strays.ts';
import { type BudgetUse, type BuybackTarget, freeBudgets, readAims, useOf } from './targets.ts';

/** What a quote token costs and is counted in. */
interface QuoteFacts extends PlanPrice {
  readonly decimals: number;
}

/**
 * Plans what the budgets allow, one purchase of each token at most. A purchase of which nothing is signed gets the budget and
 * price of now, or is taken back where its token is not wanted any more. Answers the ids of all open ones, oldest first.
 */
export async function planBuybacks(deps: BuybackDeps): Promise<string[]> {
  await deps.lanes.learn();
  const unexplained = await bookLostPurchases(deps);
  if (unexplained > 0) {
    deps.logger.warn({ unexplained }, 'nothing is planned while movements of the treasury are not explained');
    return openIds(deps.db);
  }
  const quotes = await readQuotes(deps);
  const aims = await readAims(deps);
  return transaction(deps.db, async (tx) => {
    await lockBuybackPlans(tx);
    const { idle, underWay } = await openRounds(tx);
    const targets: BuybackTarget[] = [];
    for (const { budget, freeRaw } of await freeBudgets(tx, underWay)) {
      const use = judged(useOf(aims, budget, freeRaw), quotes.get(budget.quoteMint), deps.rules.leastUsd);
      if (typeof use !== 'string') targets.push(...use);
      await noteUse({ ...deps, db: tx }, budget, typeof use === 'string' && freeRaw > 0n ? use : null);
    }
    await write(tx, targets.filter(isNotAmong(underWay)), idle, quotes);
    return openIds(tx);
  });
}

/** Ids of the purchases whose swap may land or has, oldest first. */
export async function buybacksUnderWay({ db }: Pick<BuybackDeps, 'db'>): Promise<string[]> {
  const { underWay } = await transaction(db, openRounds);
  return underWay.map(({ id }) => id);
}

async function openIds(db: Db): Promise<string[]> {
  return (await buybackRounds.open(db)).map(({ id }) => id);
}

async function noteUse({ db, logger }: BuybackDeps, budget: BuybackBudget, problem: string | null): Promise<void> {
  const { kind, quoteMint, symbol } = budget;
  await buybackBudgets.noteProblem(db, budget, problem);
  if (problem !== null) logger.info({ kind, quoteMint, symbol, problem }, 'revenue that is set aside is not spent');
}

async function readQuotes(deps: BuybackDeps): Promise<ReadonlyMap<string, QuoteFacts>> {
  const priceOf = createPlannedPrices(deps);
  const budgets = await buybackBudgets.all(deps.db);
  const facts = new Map<string, QuoteFacts>();
  for (const mint of new Set(budgets.map(({ quoteMint }) => quoteMint))) {
    const pair = await pairs.byMint(deps.db, mint);
    if (pair) facts.set(mint, { decimals: pair.decimals, ...(await priceOf(mint)) });
  }
  return facts;
}

/** Open purchases: those of which nothing is signed, and those whose swap may land or has. */
async function openRounds(tx: Db): Promise<{ idle: BuybackRound[]; underWay: BuybackRound[] }> {
  const idle: BuybackRound[] = [];
  const underWay: BuybackRound[] = [];
  for (const round of await buybackRounds.lockOpen(tx)) {
    const isSigned = (await chainTransactions.attemptsOf(tx, buybackSwapPurpose(round.id))).some(isLive);
    if (round.state === 'planned' && !isSigned) idle.push(round);
    // What a booked swap took is among what was spent.
    else underWay.push(round.state === 'planned' ? round : { ...round, mostRaw: 0n });
  }
  return { idle, underWay };
}

/** A budget too small for a swap is left alone, and so is each share of it that is. */
function judged(use: BudgetUse, quote: QuoteFacts | undefined, leastUsd: string): BudgetUse {
  if (typeof use === 'string') return use;
  if (!quote) return 'the quote token is not listed';
  const worthwhile = use.filter(({ mostRaw }) => isWorthwhile(mostRaw, quote, leastUsd));
  return worthwhile.length > 0 ? worthwhile : `no purchase would be worth ${leastUsd} USD`;
}

/** Where no price was ever known nothing says that it is too little. */
function isWorthwhile(amountRaw: bigint, { estimateUsd, decimals }: QuoteFacts, leastUsd: string): boolean {
  if (amountRaw === 0n) return false;
  return estimateUsd === null || isWorth(worthUsd(amountRaw, decimals, estimateUsd), leastUsd);
}

const isNotAmong =
  (others: readonly BuybackTarget[]) =>
  ({ kind, mint }: BuybackTarget): boolean =>
    !others.some((other) => other.kind === kind && other.mint === mint);

async function write(
  tx: Db,
  targets: readonly BuybackTarget[],
  idle: readonly BuybackRound[],
  quotes: ReadonlyMap<string, QuoteFacts>,
): Promise<void> {
  for (const target of targets) {
    const { quoteUsd = null, priceSource = null, pricedAt = null } = quotes.get(target.quoteMint) ?? {};
    const { kind, mint, quoteMint, mostRaw } = target;
    const purchase = { kind, mint, quoteMint, mostRaw, quoteUsd, priceSource, pricedAt };
    const open = idle.find((round) => round.kind === kind && round.mint === mint);
    if (open) await buybackRounds.replan(tx, open.id, purchase);
    else await buybackRounds.plan(tx, purchase);
  }
  for (const round of idle.filter(isNotAmong(targets))) await buybackRounds.cancel(tx, round.id);
}
