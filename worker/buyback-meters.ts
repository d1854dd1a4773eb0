import { Gauge, type Metric } from 'prom-client';
import * as buybackBudgets from '../db/buyback/buyback-budgets.ts';
import { leftOf } from '../db/buyback/buyback-budgets.ts';
import * as buybackRounds from '../db/buyback/buyback-rounds.ts';
import type { Db } from '../db/connect.ts';

/** What Prometheus reads of purchases with revenue; asked at every scrape. */
export function createBuybackMeters(db: Db): readonly Metric[] {
  const open = new Gauge({
    name: 'slipway_open_buybacks',
    help: 'Purchases without an end: planned, bought and not burned, and those of both whose last try failed',
    labelNames: ['state'],
    registers: [],
    async collect() {
      const { planned, bought, failing } = await buybackRounds.countOpen(db);
      this.set({ state: 'planned' }, planned);
      this.set({ state: 'bought' }, bought);
      this.set({ state: 'failing' }, failing);
    },
  });
  const idle = new Gauge({
    name: 'slipway_idle_buyback_budgets',
    help: 'Budgets with something in them that the last round left alone',
    registers: [],
    async collect() {
      const budgets = await buybackBudgets.all(db);
      this.set(budgets.filter((budget) => budget.problem !== null && leftOf(budget) > 0n).length);
    },
  });
  return [open, idle];
}
