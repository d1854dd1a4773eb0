export const STATEMENT_KINDS = [
  'tax',
  'excess',
  'harvest',
  'sale',
  'payout',
  'correction',
  'share',
  'purchase',
] as const;

export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** All revenue, and the budgets that shares of it are set aside for. */
export const BUDGETS = ['revenue', 'buyback', 'flywheel'] as const;

export type Budget = (typeof BUDGETS)[number];

/** Names the statement of a budget in one quote token. The statement of a pot is named by its address. */
export function budgetAccount(budget: Budget, quoteMint: string): string {
  return `${budget}/${quoteMint}`;
}
