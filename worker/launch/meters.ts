import { Gauge, type Metric } from 'prom-client';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { countLaunchesByState, landingSeconds } from '../../db/launch/launch-counts.ts';
import { LAUNCH_STATES } from '../../domain/launch/state.ts';
import type { Shared } from '../shared.ts';
import { newestSeed } from './address-pool.ts';

/** Launches of the last so many ms say how long landing takes now. */
const LANDING_WINDOW_MS = 900_000;

type Parts = Pick<Shared, 'db' | 'seeds' | 'now' | 'relayMeter'>;

/** What Prometheus reads of launches; asked at every scrape. */
export function createLaunchMeters({ db, seeds, now, relayMeter }: Parts): readonly Metric[] {
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
  const landing = new Gauge({
    name: 'slipway_launch_landing_seconds',
    help: 'From submit to completion of the launches that went live within the last 15 minutes; absent without any',
    labelNames: ['quantile'],
    registers: [],
    async collect() {
      this.reset();
      const since = new Date(now().getTime() - LANDING_WINDOW_MS);
      for (const [quantile, seconds] of await landingSeconds(db, since)) this.set({ quantile }, seconds);
    },
  });
  return [launches, addresses, landing, relayMeter.metric];
}
