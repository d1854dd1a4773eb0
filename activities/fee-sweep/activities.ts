import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import type { PositionSweep } from '../../db/fee-sweep/fee-sweeps.ts';
import { errorText } from '../../domain/error-text.ts';
import { DEPOSIT_TAX_SWEEP, type FeeSweepKey, type FeeSweepState } from '../../domain/fee-sweep/fee-sweep.ts';
import { burnHarvest } from './burn.ts';
import type { FeeSweepDeps } from './deps.ts';
import { burnDepositTax } from './deposit-tax.ts';
import { harvestFees } from './harvest.ts';
import { planFeeSweeps } from './plan.ts';

export type { FeeSweepDeps } from './deps.ts';

export type FeeSweepActivities = ReturnType<typeof createFeeSweepActivities>;

type Step = (deps: FeeSweepDeps, sweep: PositionSweep) => Promise<void>;

const STEPS: Readonly<Record<FeeSweepState, Step | null>> = {
  planned: (deps, sweep) =>
    sweep.number === DEPOSIT_TAX_SWEEP ? burnDepositTax(deps, sweep) : harvestFees(deps, sweep),
  harvested: burnHarvest,
  done: null,
};

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
      try {
        for (;;) {
          const sweep = await feeSweeps.byKey(deps.db, key);
          const step = sweep && STEPS[sweep.state];
          if (!step) return sweep?.state ?? null;
          await step(own, sweep);
        }
      } catch (error) {
        await noteProblem(own, key, error);
        throw error;
      }
    },
  };
}

async function noteProblem({ db, logger }: FeeSweepDeps, key: FeeSweepKey, error: unknown): Promise<void> {
  try {
    await feeSweeps.noteProblem(db, key, errorText(error));
  } catch (cause) {
    logger.error({ err: cause }, 'the problem of a sweep could not be noted');
  }
}
