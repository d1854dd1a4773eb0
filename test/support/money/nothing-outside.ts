import type { ComparisonDeps } from '../../../activities/money/reconcile/deps.ts';

/** A comparison that has no seed of a launch and no running workflow. */
export const NOTHING_OUTSIDE: Pick<ComparisonDeps, 'seeds' | 'context' | 'runningWorkflows' | 'examined'> = {
  seeds: [],
  context: { genesisHash: '', environment: 'test' },
  runningWorkflows: () => Promise.resolve([]),
  examined: new Set(),
};
