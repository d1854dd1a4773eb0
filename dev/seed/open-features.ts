import type { Db } from '../../db/connect.ts';
import * as switches from '../../db/platform/switches.ts';
import type { SwitchName, Switches } from '../../domain/switches.ts';

const OPEN: Partial<Switches> = { devBuys: 'on', airdrops: 'on', rewardLaunches: 'open' };

export async function openFeatures(db: Db): Promise<void> {
  const untouched = (await switches.list(db)).filter(({ changedBy }) => changedBy === 'migration');
  for (const { name } of untouched) {
    const value = OPEN[name satisfies SwitchName];
    if (value !== undefined) await switches.set(db, name, value, { actor: 'seed', note: 'local stack' });
  }
}
