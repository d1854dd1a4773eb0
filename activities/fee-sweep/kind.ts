import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import type { PositionSweep } from '../../db/fee-sweep/fee-sweeps.ts';
import { DEPOSIT_TAX_SWEEP, type FeeSweepKey, type FeeSweepState } from '../../domain/fee-sweep/fee-sweep.ts';
import type { ClosableLeg, WorkKind } from '../money/work/leg.ts';
import { burnLeg } from './burn.ts';
import type { FeeSweepDeps } from './deps.ts';
import { depositTaxLeg } from './deposit-tax.ts';
import { harvestLeg } from './harvest.ts';

type SweepLeg = ClosableLeg<FeeSweepDeps, PositionSweep>;

const LEGS: Readonly<Record<FeeSweepState, (key: FeeSweepKey) => SweepLeg | null>> = {
  planned: ({ number }) => (number === DEPOSIT_TAX_SWEEP ? depositTaxLeg : harvestLeg),
  harvested: () => burnLeg,
  done: () => null,
};

/** A sweep: a harvest, then the burn of its tokens. A token's first one burns the tax of its deposit at once. */
export const FEE_SWEEP: WorkKind<FeeSweepDeps, FeeSweepKey, PositionSweep> = {
  name: 'sweep',
  find: feeSweeps.byKey,
  next: (sweep) => LEGS[sweep.state](sweep),
  noteProblem: feeSweeps.noteProblem,
};
