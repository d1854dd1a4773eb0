import * as buybackBudgets from '../../db/buyback/buyback-budgets.ts';
import { type BuybackBudget, leftOf } from '../../db/buyback/buyback-budgets.ts';
import * as flywheelTokens from '../../db/buyback/flywheel-tokens.ts';
import type { RankedToken } from '../../db/buyback/flywheel-tokens.ts';
import * as tokens from '../../db/tokens.ts';
import type { TokenRecord } from '../../db/tokens.ts';
import { type BuybackKind, divideByWeight } from '../../domain/buyback/buyback.ts';
import type { BuybackDeps } from './deps.ts';

export interface BuybackTarget {
  readonly kind: BuybackKind;
  readonly mint: string;
  readonly quoteMint: string;
  /** Raw units of the quote token. */
  readonly mostRaw: bigint;
}

/** Raw units. */
export type BudgetUse = readonly BuybackTarget[] | string;

export interface BuybackAims {
  readonly platformToken: string | null;
  /** Null if it was not launched here. */
  readonly launched: TokenRecord | null;
  readonly ranking: readonly RankedToken[];
}

export async function readAims({ db, rules }: Pick<BuybackDeps, 'db' | 'rules'>): Promise<BuybackAims> {
  const { platformToken } = rules;
  const [launched, ranking] = await Promise.all([
    platformToken === null ? null : tokens.byMint(db, platformToken),
    flywheelTokens.list(db),
  ]);
  return { platformToken, launched, ranking };
}

/** Returns the budgets less the most that open swaps may still spend. */
export async function freeBudgets(
  db: BuybackDeps['db'],
  underWay: readonly BuybackTarget[],
): Promise<{ readonly budget: BuybackBudget; readonly freeRaw: bigint }[]> {
  const budgets = await buybackBudgets.all(db);
  return budgets.map((budget) => {
    const own = underWay.filter(({ kind, quoteMint }) => kind === budget.kind && quoteMint === budget.quoteMint);
    const taken = own.reduce((sum, { mostRaw }) => sum + mostRaw, 0n);
    return { budget, freeRaw: leftOf({ ...budget, spentRaw: budget.spentRaw + taken }) };
  });
}

const USES = { buyback: platformTokenUse, flywheel: rankedUse } as const satisfies Record<BuybackKind, unknown>;

export function useOf(aims: BuybackAims, { kind, quoteMint }: BuybackBudget, freeRaw: bigint): BudgetUse {
  return USES[kind](aims, quoteMint, freeRaw);
}

function platformTokenUse({ platformToken, launched }: BuybackAims, quoteMint: string, freeRaw: bigint): BudgetUse {
  if (platformToken === null) return 'PLATFORM_TOKEN_MINT is not set';
  if (!launched) return `the platform token ${platformToken} was not launched here`;
  if (launched.quoteMint !== quoteMint)
    return `the platform token trades for ${launched.quoteSymbol}, not for this token`;
  return [{ kind: 'buyback', mint: launched.mint, quoteMint, mostRaw: freeRaw }];
}

/**
 * Divides the budget by revenue among the ranked tokens of one quote token. No token gets more than its own harvests
 * brought: a new leader does not take what others earned.
 */
function rankedUse({ ranking }: BuybackAims, quoteMint: string, freeRaw: bigint): BudgetUse {
  const ranked = ranking.filter((token) => token.quoteMint === quoteMint);
  if (ranked.length === 0) return 'no token in the ranking trades for this token';
  const shares = divideByWeight(
    freeRaw,
    ranked.map(({ revenueUsd }) => revenueUsd),
  );
  return ranked.map(({ mint, ownRaw }, index) => {
    const shareRaw = shares[index] ?? 0n;
    return { kind: 'flywheel', mint, quoteMint, mostRaw: atMost(shareRaw, ownRaw) };
  });
}

function atMost(amountRaw: bigint, mostRaw: bigint): bigint {
  const lesser = amountRaw < mostRaw ? amountRaw : mostRaw;
  return lesser > 0n ? lesser : 0n;
}
