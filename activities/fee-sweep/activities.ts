import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import type { FeeSweepKey, FeeSweepState } from '../../domain/fee-sweep/fee-sweep.ts';
import { carryOut } from '../money/work/carry-out.ts';
import type { FeeSweepDeps } from './deps.ts';
import { FEE_SWEEP } from './kind.ts';
import { planFeeSweeps } from './plan.ts';

export type { FeeSweepDeps } from './deps.ts';

export type FeeSweepActivities = ReturnType<typeof createFeeSweepActivities>;

export function createFeeSweepActivities(deps: FeeSweepDeps) {
  return {
    /** Returns the pool to continue after; null at the end. */
    planFeeSweeps: (after: string): Promise<string | null> => planFeeSweeps(deps, after),

    /** Up to 100. Sweeps that were tried before return after a growing pause. */
    takeDueFeeSweeps: (): Promise<FeeSweepKey[]> => feeSweeps.takeDue(deps.db),

    /** Returns the state, or null if it was cancelled. */
    async sweepFees(key: FeeSweepKey): Promise<FeeSweepState | null> {
      const { mint, number } = key;
      const own = { ...deps, logger: deps.logger.child({ mint, number }) };
      return (await carryOut(own, FEE_SWEEP, key))?.state ?? null;
    },
  };
}
