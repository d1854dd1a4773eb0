import type { Metric } from 'prom-client';
import { newestSeed } from '../../chain/keys/launch-keys.ts';
import * as launchAddresses from '../../db/launch/launch-addresses.ts';
import { countOpenLaunches, landingSeconds } from '../../db/launch/launch-counts.ts';
import { isSettled } from '../../domain/launch/machine.ts';
import { LAUNCH_STATES } from '../../domain/launch/state.ts';
import { createReadGauge } from '../../observe/read-gauge.ts';
import type { Shared } from '../shared.ts';

const LANDING_WINDOW_MS = 900_000;

type Parts = Pick<Shared, 'db' | 'seeds' | 'now' | 'relayMeter' | 'logger' | 'config'>;

export function createLaunchMeters({ db, seeds, now, relayMeter, logger, config }: Parts): readonly Metric[] {
  const launches = createReadGauge(logger, {
    name: 'slipway_launches',
    help: 'Launches that have not ended, by state',
    labelNames: ['state'],
    read: async () => {
      const counts = await countOpenLaunches(db);
      return LAUNCH_STATES.filter((state) => !isSettled(state)).map((state) => ({
        labels: { state },
        value: counts.get(state) ?? 0,
      }));
    },
  });
  const addresses = createReadGauge(logger, {
    name: 'slipway_free_launch_addresses',
    help: 'Derived launch addresses without a suffix that no quote has taken',
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
  return [launches, addresses, ...createSuffixMeters({ db, seeds, logger, config }), landing, relayMeter.metric];
}

/** None without LAUNCH_MINT_SUFFIX. */
function createSuffixMeters({ db, seeds, logger, config }: Omit<Parts, 'now' | 'relayMeter'>): readonly Metric[] {
  const { mintSuffix } = config.launch;
  if (mintSuffix === null) return [];
  const free = createReadGauge(logger, {
    name: 'slipway_free_suffixed_launch_addresses',
    help: 'Launch addresses with LAUNCH_MINT_SUFFIX that no quote has taken',
    read: () => launchAddresses.countFree(db, newestSeed(seeds).id, mintSuffix),
  });
  return [free];
}
