import { Gauge, type Metric } from 'prom-client';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import type { Shared } from '../shared.ts';

/** What Prometheus reads of fee sweeps; asked at every scrape. */
export function createFeeSweepMeters({ db }: Pick<Shared, 'db'>): readonly Metric[] {
  const open = new Gauge({
    name: 'slipway_open_fee_sweeps',
    help: 'Sweeps of fees without an end: planned, harvested and not burned, and those of both whose last try failed',
    labelNames: ['state'],
    registers: [],
    async collect() {
      const { planned, harvested, failing } = await feeSweeps.countOpen(db);
      this.set({ state: 'planned' }, planned);
      this.set({ state: 'harvested' }, harvested);
      this.set({ state: 'failing' }, failing);
    },
  });
  return [open];
}
