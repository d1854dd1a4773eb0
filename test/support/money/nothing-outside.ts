import { LAUNCH_TRANSACTIONS } from '../../../activities/launch/outside-lanes.ts';
import type { ComparisonDeps } from '../../../activities/money/reconcile/deps.ts';
import { NOUNS } from '../../../worker/money/deps.ts';

type OutsideDeps = Pick<
  ComparisonDeps,
  'seeds' | 'context' | 'runningWorkflows' | 'examined' | 'outsideLanes' | keyof typeof NOUNS
>;

/** A comparison that has no seed of a launch and no running workflow. */
export const NOTHING_OUTSIDE: OutsideDeps = {
  seeds: [],
  context: { genesisHash: '', environment: 'test' },
  runningWorkflows: () => Promise.resolve([]),
  examined: new Set(),
  outsideLanes: LAUNCH_TRANSACTIONS,
  ...NOUNS,
};
