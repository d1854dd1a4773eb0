import { createCache } from 'async-cache-dedupe';
import type { Switches } from '../domain/switches.ts';

/** Optional features: parameters and endpoints that come and go with their switch. */
export type Feature = 'devBuys' | 'airdrops' | 'rewardLaunches';

/** Which optional features are currently offered; reward launches are, also while they need the admin password. */
export type Features = Readonly<Record<Feature, boolean>>;

/** The switches as they stand, at most about a second old. */
export interface SwitchReader {
  read(): Promise<Switches>;
}

/**
 * Reads the switches through a cache of one second, shared by all requests: a switch takes effect within about a second and
 * costs one query a second however many requests there are. A failed read is not cached; it rises as the database's error.
 */
export function createSwitchReader(load: () => Promise<Switches>): SwitchReader {
  const cache = createCache({ ttl: 1, storage: { type: 'memory' } }).define('switches', load);
  return { read: () => cache.switches() };
}

/** The optional features that these switches offer. */
export function featuresOf(switches: Switches): Features {
  return {
    devBuys: switches.devBuys === 'on',
    airdrops: switches.airdrops === 'on',
    rewardLaunches: switches.rewardLaunches !== 'off',
  };
}
