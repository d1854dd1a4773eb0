import type { Metric } from 'prom-client';
import { databaseQuestions } from '../db/platform/database-questions.ts';
import { createDatabaseMeters } from '../observe/database-meters.ts';
import { createDependencyMeter } from '../observe/dependency-meter.ts';
import { createChainClockMeter, createDiskMeter, dependenciesOf } from './dependencies.ts';
import { ON_DEMAND } from './on-demand.ts';
import { createPromiseMeters } from './promise-meters.ts';
import { ROUNDS } from './rounds.ts';
import type { Activity, WorkRow } from './row.ts';
import type { Shared } from './shared.ts';
import { createSwitchMeters } from './switch-meters.ts';

const EVERYTHING: readonly WorkRow[] = [...ON_DEMAND, ...ROUNDS];

/** Collects the activities of these rows. Throws a RangeError for two of one name. */
export function activitiesOf(shared: Shared, rows: readonly WorkRow[] = EVERYTHING): Record<string, Activity> {
  const all = rows.flatMap((row) => Object.entries(row.activities(shared)));
  const byName = Object.fromEntries(all);
  const twice = all.filter(([name, activity]) => byName[name] !== activity).map(([name]) => name);
  if (twice.length > 0) throw new RangeError(`two rows have an activity of the name ${twice.join(', ')}`);
  return byName;
}

/** Creates the meters. They read on the metrics page's own connections: the pool may be full. */
export function metersOf(shared: Shared): readonly Metric[] {
  const { db, logger } = shared;
  const asked = databaseQuestions(db);
  return [
    ...EVERYTHING.flatMap(({ meters }) => meters?.(shared) ?? []),
    ...createPromiseMeters(shared),
    ...createSwitchMeters(shared),
    ...createDatabaseMeters(asked, logger),
    createDependencyMeter(dependenciesOf(shared), logger),
    createDiskMeter(shared),
    createChainClockMeter(shared),
  ];
}
