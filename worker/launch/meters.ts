import { Gauge, type Metric } from 'prom-client';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { countLaunchesByState } from '../../db/launch/launch-counts.ts';
import { LAUNCH_STATES } from '../../domain/launch/state.ts';
import type { Shared } from '../shared.ts';
import { newestSeed } from './address-pool.ts';

/** What Prometheus reads of launches; asked at every scrape. */
export function createLaunchMeters({ db, seeds }: Pick<Shared, 'db' | 'seeds'>): readonly Metric[] {
  const launches = new Gauge({
    name: 'slipway_launches',
    help: 'Launches by state',
    labelNames: ['state'],
    registers: [],
    async collect() {
      const counts = await countLaunchesByState(db);
      for (const state of LAUNCH_STATES) this.set({ state }, counts.get(state) ?? 0);
    },
  });
  const addresses = new Gauge({
    name: 'slipway_free_launch_addresses',
    help: 'Derived launch addresses that no quote has taken',
    registers: [],
    async collect() {
      this.set(await launchAddresses.countFree(db, newestSeed(seeds).id));
    },
  });
  return [launches, addresses];
}
