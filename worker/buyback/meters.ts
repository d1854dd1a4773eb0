import type { Metric } from 'prom-client';
import * as buybackBudgets from '../../db/buyback/buyback-budgets.ts';
import { leftOf } from '../../db/buyback/buyback-budgets.ts';
import * as buybackRounds from '../../db/buyback/buyback-rounds.ts';
import { createReadGauge } from '../../observe/read-gauge.ts';
import type { Shared } from '../shared.ts';

export function createBuybackMeters({ db, logger }: Pick<Shared, 'db' | 'logger'>): readonly Metric[] {
  const open = createReadGauge(logger, {
    name: 'slipway_open_buybacks',
    help: 'Purchases without an end: planned, bought and not burned, and those of both whose last try failed',
    labelNames: ['state'],
    read: async () => {
      const { planned, bought, failing } = await buybackRounds.countOpen(db);
      return Object.entries({ planned, bought, failing }).map(([state, value]) => ({ labels: { state }, value }));
    },
  });
  const idle = createReadGauge(logger, {
    name: 'slipway_idle_buyback_budgets',
    help: 'Budgets with something in them that the last round left alone',
    read: async () => {
      const budgets = await buybackBudgets.all(db);
      return budgets.filter((budget) => budget.problem !== null && leftOf(budget) > 0n).length;
    },
  });
  return [open, idle];
}
