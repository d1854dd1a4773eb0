import type { Metric } from 'prom-client';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { countLaunchesByState, landingSeconds } from '../../db/launch/launch-counts.ts';
import { LAUNCH_STATES } from '../../domain/launch/state.ts';
import { createReadGauge } from '../../observe/read-gauge.ts';
import type { Shared } from '../shared.ts';
import { newestSeed } from './address-pool.ts';

/** Launches of the last so many ms say how long landing takes now. */
const LANDING_WINDOW_MS = 900_000;

type Parts = Pick<Shared, 'db' | 'seeds' | 'now' | 'relayMeter' | 'logger'>;

/** What Prometheus reads of launches; asked at every scrape. */
export function createLaunchMeters({ db, seeds, now, relayMeter, logger }: Parts): readonly Metric[] {
  const launches = createReadGauge(logger, {
    name: 'slipway_launches',
    help: 'Launches by state',
    labelNames: ['state'],
    read: async () => {
      const counts = await countLaunchesByState(db);
      return LAUNCH_STATES.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 }));
    },
  });
  const addresses = createReadGauge(logger, {
    name: 'slipway_free_launch_addresses',
    help: 'Derived launch addresses that no quote has taken',
    read: () => launchAddresses.countFree(db, newestSeed(seeds).id),
  });
  const landing = createReadGauge(logger, {
    name: 'slipway_launch_landing_seconds',
    help: 'From submit to completion of the launches that went live within the last 15 minutes; absent without any',
    labelNames: ['quantile'],
    read: async () => {
      const since = new Date(now().getTime() - LANDING_WINDOW_MS);
      return [...(await landingSeconds(db, since))].map(([quantile, value]) => ({ labels: { quantile }, value }));
    },
  });
  return [launches, addresses, landing, relayMeter.metric];
}
