import type { Command } from 'commander';
import * as buybackBudgets from '../../../db/buyback/buyback-budgets.ts';
import { type BuybackBudget, leftOf } from '../../../db/buyback/buyback-budgets.ts';
import * as buybackRounds from '../../../db/buyback/buyback-rounds.ts';
import type { BuybackRound } from '../../../db/buyback/buyback-rounds.ts';
import * as flywheelTokens from '../../../db/buyback/flywheel-tokens.ts';
import type { RankedToken } from '../../../db/buyback/flywheel-tokens.ts';
import { withDatabase } from '../../database.ts';
import type { OpsIo } from '../../io.ts';
import { jsonOption, type OutputOptions, parsePositive } from '../../options.ts';
import { print, table } from '../../output.ts';

interface ListOptions extends OutputOptions {
  readonly limit: number;
}

const HELP = `
Budgets are shares of what the fee sweep collected, by quote token, in raw units; "problem" says why the last round left one
alone. The ranking is that of the last round. Of the purchases the newest are shown, those without an end among them.

Examples:
  npm run ops -- buybacks list
  npm run ops -- buybacks list --limit 200 --json`;

export function buybacksListCommand(buybacks: Command, io: OpsIo): void {
  buybacks
    .command('list')
    .description('show budgets, the ranking and the newest purchases')
    .option('--limit <number>', 'show at most so many purchases', parsePositive, 20)
    .addOption(jsonOption())
    .addHelpText('after', HELP)
    .action((options: ListOptions) => list(io, options));
}

function list(io: OpsIo, { limit, ...options }: ListOptions): Promise<void> {
  return withDatabase(io, async (db) => {
    const [budgets, ranking, open, newest] = await Promise.all([
      buybackBudgets.all(db),
      flywheelTokens.list(db),
      buybackRounds.open(db),
      buybackRounds.newest(db, limit),
    ]);
    // A stuck one may be older than those shown.
    const purchases = [...open, ...newest.filter(({ state }) => state === 'done')].slice(0, limit);
    const shown = {
      budgets: budgets.map(budgetOf),
      ranking: ranking.map(rankOf),
      purchases: purchases.map(purchaseOf),
    };
    print(io, options, shown, `${table(shown.budgets)}\n\n${table(shown.ranking)}\n\n${table(shown.purchases)}`);
  });
}

function budgetOf(budget: BuybackBudget) {
  const { kind, quoteMint, symbol, allocatedRaw, spentRaw, problem } = budget;
  const raw = { allocatedRaw: String(allocatedRaw), spentRaw: String(spentRaw), leftRaw: String(leftOf(budget)) };
  return { kind, quoteMint, symbol, ...raw, problem };
}

function rankOf({ rank, mint, symbol, revenueUsd, rankedAt }: RankedToken) {
  return { rank, mint, symbol, revenueUsd, rankedAt };
}

function purchaseOf({ id, state, mostRaw, spentRaw, boughtRaw, tries, plannedAt, problem }: BuybackRound) {
  const raw = { mostRaw: String(mostRaw), spentRaw: textOf(spentRaw), boughtRaw: textOf(boughtRaw) };
  return { id, state, ...raw, tries, plannedAt, problem };
}

function textOf(raw: bigint | null): string | null {
  return raw === null ? null : String(raw);
}
