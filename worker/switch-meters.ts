import { Gauge, type Metric } from 'prom-client';
import * as switches from '../db/platform/switches.ts';
import type { Shared } from './shared.ts';

/** What Prometheus reads of the switches; asked at every scrape. */
export function createSwitchMeters({ db }: Pick<Shared, 'db'>): readonly Metric[] {
  const off = new Gauge({
    name: 'slipway_switch_off',
    help: '1 for a switch that is off, 0 for any other value',
    labelNames: ['name'],
    registers: [],
    async collect() {
      for (const { name, value } of await switches.list(db)) this.set({ name }, value === 'off' ? 1 : 0);
    },
  });
  return [off];
}
