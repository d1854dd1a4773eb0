import type { Metric } from 'prom-client';
import { refusedWrites } from '../db/platform/refused-writes.ts';
import { waitingCommits } from '../db/platform/waiting-commits.ts';
import { createDatabaseMeters } from '../observe/database-meters.ts';
import { ON_DEMAND } from './on-demand.ts';
import { ROUNDS } from './rounds.ts';
import type { Activity, WorkRow } from './row.ts';
import type { Shared } from './shared.ts';
import { createSwitchMeters } from './switch-meters.ts';

const EVERYTHING: readonly WorkRow[] = [...ON_DEMAND, ...ROUNDS];

/** The activities of all processes by name. Throws a RangeError where two have one name: one of them would never be called. */
export function activitiesOf(shared: Shared, rows: readonly WorkRow[] = EVERYTHING): Record<string, Activity> {
  const all = rows.flatMap((row) => Object.entries(row.activities(shared)));
  const byName = Object.fromEntries(all);
  const twice = all.filter(([name, activity]) => byName[name] !== activity).map(([name]) => name);
  if (twice.length > 0) throw new RangeError(`two rows have an activity of the name ${twice.join(', ')}`);
  return byName;
}

/** What Prometheus reads of all processes; the database of `shared` is the page's own where the pool may be full. */
export function metersOf(shared: Shared): readonly Metric[] {
  const { db, logger } = shared;
  const asked = { refusedWrites: () => refusedWrites(db), waitingCommits: () => waitingCommits(db) };
  return [
    ...EVERYTHING.flatMap(({ meters }) => meters?.(shared) ?? []),
    ...createSwitchMeters(shared),
    ...createDatabaseMeters(asked, logger),
  ];
}
