import type { Metric } from 'prom-client';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import { createReadGauge } from '../../observe/read-gauge.ts';
import type { Shared } from '../shared.ts';

export function createFeeSweepMeters({ db, logger }: Pick<Shared, 'db' | 'logger'>): readonly Metric[] {
  const open = createReadGauge(logger, {
    name: 'slipway_open_fee_sweeps',
    help: 'Sweeps of fees without an end: planned, harvested and not burned, and those of both whose last try failed',
    labelNames: ['state'],
    read: async () => {
      const { planned, harvested, failing } = await feeSweeps.countOpen(db);
      return Object.entries({ planned, harvested, failing }).map(([state, value]) => ({ labels: { state }, value }));
    },
  });
  return [open];
}
