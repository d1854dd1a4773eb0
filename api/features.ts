import { createCache } from 'async-cache-dedupe';
import { areAirdropsOffered, type Switches } from '../domain/switches.ts';

export type Feature = 'devBuys' | 'airdrops' | 'rewardLaunches';

/** Reward launches count as offered while they need the admin password. */
export type Features = Readonly<Record<Feature, boolean>>;

/** Reads switches that are at most about a second old. */
export interface SwitchReader {
  read(): Promise<Switches>;
}

/** Caches for a second, shared by all requests. Failures are not cached. */
export function createSwitchReader(load: () => Promise<Switches>): SwitchReader {
  const cache = createCache({ ttl: 1, storage: { type: 'memory' } }).define('switches', load);
  return { read: () => cache.switches() };
}

export function featuresOf(switches: Switches): Features {
  return {
    devBuys: switches.devBuys === 'on',
    airdrops: areAirdropsOffered(switches),
    rewardLaunches: switches.rewardLaunches !== 'off',
  };
}
