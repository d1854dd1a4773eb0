import * as buybackBudgets from '../../db/buyback/buyback-budgets.ts';
import type { BuybackBudget } from '../../db/buyback/buyback-budgets.ts';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import { type BuybackRound, lockBuybackPlans, type PlannedBuyback } from '../../db/buyback/buyback-rounds.ts';
import { type Unsigned, unsignedOrNull } from '../../db/money/due-lock.ts';
import { type Db, transaction } from '../../db/connect.ts';
import * as pairs from '../../db/pairs.ts';
import { worthUsd } from '../../domain/pool-price.ts';
import { isWorth } from '../../domain/usd-value.ts';
import { createPlannedPrices, type PlanPrice } from '../trading/planned-prices.ts';
import type { BuybackDeps } from './deps.ts';
import { bookLostPurchases } from './unrecorded.ts';
import { type BudgetUse, type BuybackTarget, freeBudgets, readAims, useOf } from './targets.ts';
import { BOOKED } from '../../domain/buyback/buyback.ts';

interface QuoteFacts extends PlanPrice {
  readonly decimals: number;
}

/**
 * Plans at most one purchase per token, within the budgets. An unsigned one gets the current budget and price, or is
 * cancelled if its token is no target any more.
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

/** Oldest first. */
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

type IdleBuyback = Unsigned<PlannedBuyback>;

async function openRounds(tx: Db): Promise<{ idle: IdleBuyback[]; underWay: BuybackRound[] }> {
  const idle: IdleBuyback[] = [];
  const underWay: BuybackRound[] = [];
  for (const round of await buybackRounds.lockOpen(tx)) {
    const lock = await buybackRounds.lockPlanned(tx, round.id);
    const unsigned = lock && (await unsignedOrNull(lock));
    if (unsigned) idle.push(unsigned);
    // `spentRaw` includes a booked swap already.
    else underWay.push(BOOKED[round.state].swap ? { ...round, mostRaw: 0n } : round);
  }
  return { idle, underWay };
}

/** The worthwhile part of a use, or why nothing is bought. */
export function judged(use: BudgetUse, quote: QuoteFacts | undefined, leastUsd: string): BudgetUse {
  if (typeof use === 'string') return use;
  if (!quote) return 'the quote token is not listed';
  if (quote.quoteUsd === null) return 'the quote token has no steady USD price: purchases wait for one';
  const worthwhile = use.filter(({ mostRaw }) => isWorthwhile(mostRaw, quote, leastUsd));
  return worthwhile.length > 0 ? worthwhile : `no purchase would be worth ${leastUsd} USD`;
}

function isWorthwhile(amountRaw: bigint, { quoteUsd, decimals }: QuoteFacts, leastUsd: string): boolean {
  return amountRaw > 0n && quoteUsd !== null && isWorth(worthUsd(amountRaw, decimals, quoteUsd), leastUsd);
}

const isNotAmong =
  (others: readonly Pick<BuybackTarget, 'kind' | 'mint'>[]) =>
  ({ kind, mint }: Pick<BuybackTarget, 'kind' | 'mint'>): boolean =>
    !others.some((other) => other.kind === kind && other.mint === mint);

async function write(
  tx: Db,
  targets: readonly BuybackTarget[],
  idle: readonly IdleBuyback[],
  quotes: ReadonlyMap<string, QuoteFacts>,
): Promise<void> {
  for (const target of targets) {
    const { quoteUsd = null, priceSource = null, pricedAt = null } = quotes.get(target.quoteMint) ?? {};
    const { kind, mint, quoteMint, mostRaw } = target;
    const purchase = { kind, mint, quoteMint, mostRaw, quoteUsd, priceSource, pricedAt };
    const open = idle.find(({ row }) => row.kind === kind && row.mint === mint);
    if (open) await buybackRounds.replan(open, purchase);
    else await buybackRounds.plan(tx, purchase);
  }
  const isUnwanted = isNotAmong(targets);
  for (const one of idle.filter(({ row }) => isUnwanted(row))) await buybackRounds.cancel(one);
}
