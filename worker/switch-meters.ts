import type { Metric } from 'prom-client';
import * as switches from '../db/platform/switches.ts';
import { createReadGauge } from '../observe/read-gauge.ts';
import type { Shared } from './shared.ts';

export function createSwitchMeters({ db, logger }: Pick<Shared, 'db' | 'logger'>): readonly Metric[] {
  const off = createReadGauge(logger, {
    name: 'slipway_switch_off',
    help: '1 for a switch that is off, 0 for any other value',
    labelNames: ['name'],
    read: async () =>
      (await switches.list(db)).map(({ name, value }) => ({ labels: { name }, value: value === 'off' ? 1 : 0 })),
  });
  return [off];
}
