import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { buildBurn } from '../../chain/transactions/burn.ts';
import { transaction } from '../../db/connect.ts';
import * as burns from '../../db/burns.ts';
import * as feeHarvests from '../../db/fee-sweep/fee-harvests.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import type { PositionSweep, SweepIn } from '../../db/fee-sweep/fee-sweeps.ts';
import { feeBurnPurpose } from '../../domain/fee-sweep/fee-sweep.ts';
import { worthSpendable } from '../../domain/trading/spendable-price.ts';
import { type FinalizedMovement, gainOf } from '../money/movement.ts';
import type { ClosableLeg } from '../money/work/leg.ts';
import type { FeeSweepDeps } from './deps.ts';
import { tokensOf } from './tokens.ts';

/** Burns what a harvest brought; its amount is known only once the harvest is final. */
export const burnLeg: ClosableLeg<FeeSweepDeps, PositionSweep, SweepIn<'harvested'>> = {
  purpose: feeBurnPurpose,
  lock: feeSweeps.lockHarvested,
  async open(deps, sweep) {
    const harvest = await feeHarvests.byKey(deps.db, sweep);
    if (!harvest) throw new Error(`sweep ${sweep.number} of ${sweep.mint} is harvested, but has no harvest`);
    const { base } = await tokensOf(deps, sweep.position);
    const { platform } = deps.signers;
    const account = tokenAccountOf(base, platform.publicKey);
    const frame = { payer: platform, wallet: platform, computeUnitPrice: deps.settings.computeUnitPrice };
    return {
      payer: platform.publicKey,
      build: (stamp) => buildBurn({ ...frame, stamp }, base, harvest.baseRaw),
      book: (landed) => {
        const burn = { landed, amountRaw: -gainOf(landed, account), decimals: base.decimals };
        return bookBurn(deps, sweep, 'harvested', burn);
      },
    };
  },
  end: (unsigned) => feeSweeps.endUnburned(unsigned),
  ended: ({ number, mint }) => `sweep ${number} of ${mint} is closed; what it harvested of the token is not burned`,
};

export interface FinalBurn {
  readonly landed: FinalizedMovement;
  readonly amountRaw: bigint;
  readonly decimals: number;
  /** Withdrawn beyond the burned amount, raw units. */
  readonly excessRaw?: bigint;
}

export async function bookBurn(
  { db, logger }: FeeSweepDeps,
  sweep: PositionSweep,
  from: 'planned' | 'harvested',
  { landed, amountRaw, decimals, excessRaw }: FinalBurn,
): Promise<void> {
  const { mint, baseUsd } = sweep;
  const valueUsd = baseUsd === null ? null : worthSpendable(amountRaw, decimals, baseUsd);
  const { signature, at: burnedAt } = landed;
  await transaction(db, async (tx) => {
    if (!(await feeSweeps.advance(tx, sweep, from, 'done', excessRaw))) return;
    await burns.record(tx, { mint, amountRaw, signature, kind: 'fee-sweep', valueUsd, burnedAt });
  });
  logger.info({ signature, amountRaw: String(amountRaw), valueUsd }, 'tokens burned');
}
