import { tokenAccountOf } from '../../chain/tokens/associated-account.ts';
import { buildBurn } from '../../chain/transactions/burn.ts';
import { transaction } from '../../db/connect.ts';
import * as burns from '../../db/burns.ts';
import * as feeHarvests from '../../db/fee-sweep/fee-harvests.ts';
import * as feeSweeps from '../../db/fee-sweep/fee-sweeps.ts';
import type { PositionSweep } from '../../db/fee-sweep/fee-sweeps.ts';
import { feeBurnPurpose } from '../../domain/fee-sweep/fee-sweep.ts';
import { worthSpendable } from '../../domain/trading/spendable-price.ts';
import { type FinalizedMovement, finalizedMovement, gainOf } from '../money/movement.ts';
import { moveOnce } from '../money/move-once.ts';
import type { FeeSweepDeps } from './deps.ts';
import { tokensOf } from './tokens.ts';

/** The burn is a transaction of its own, because a harvest's amount is known only once it is final. */
export async function burnHarvest(deps: FeeSweepDeps, sweep: PositionSweep): Promise<void> {
  const { db, signers, settings } = deps;
  const harvest = await feeHarvests.byKey(db, sweep);
  if (!harvest) throw new Error(`sweep ${sweep.number} of ${sweep.mint} is harvested, but has no harvest`);
  const { base } = await tokensOf(deps, sweep.position);
  const { platform } = signers;
  const account = tokenAccountOf(base, platform.publicKey);
  const { computeUnitPrice } = settings;
  const purpose = feeBurnPurpose(sweep);
  const frame = { payer: platform, wallet: platform, computeUnitPrice };
  const moved = await moveOnce(deps, {
    purpose,
    payer: platform.publicKey,
    assertDue: async (tx) => {
      const lock = await feeSweeps.lockHarvested(tx, sweep);
      if (!lock) throw new Error(`${purpose} is not due any more`);
      return lock;
    },
    build: (stamp) => buildBurn({ ...frame, stamp }, base, harvest.baseRaw),
  });
  if (!moved) throw new Error(`${purpose} burned nothing`);
  const landed = await finalizedMovement(deps, moved);
  await bookBurn(deps, sweep, 'harvested', { landed, amountRaw: -gainOf(landed, account), decimals: base.decimals });
}

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
