import type { Db } from '../../db/connect.ts';
import * as switches from '../../db/platform/switches.ts';
import type { SwitchName, Switches } from '../../domain/switches.ts';

/** What a local stack offers from its first start on; a new database elsewhere begins with less. */
const OPEN: Partial<Switches> = { devBuys: 'on', airdrops: 'on', rewardLaunches: 'open' };

/** Switches on what a local stack offers. A switch that somebody has set before stays as it is. */
export async function openFeatures(db: Db): Promise<void> {
  const untouched = (await switches.list(db)).filter(({ changedBy }) => changedBy === 'migration');
  for (const { name } of untouched) {
    const value = OPEN[name satisfies SwitchName];
    if (value !== undefined) await switches.set(db, name, value, { actor: 'seed', note: 'local stack' });
  }
}
