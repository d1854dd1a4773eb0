import { laneOf } from '../../chain/lanes/lane.ts';
import { stepValue } from '../../chain/lanes/lane-secret.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { MoneyDeps } from './deps.ts';
import { bytesOf } from './learn.ts';
import { type FinalizedMovement, finalizedMovement } from './movement.ts';

/** A final movement without a purpose: the ledger was restored from before it. */
export interface UnexplainedMovement {
  readonly step: laneSteps.SettledStep;
  readonly landed: FinalizedMovement;
}

export type StrayDeps = Pick<MoneyDeps, 'db' | 'rpc' | 'now' | 'sleep' | 'lanes'>;

/**
 * Yields movements that a quorum shows and no row explains, oldest first; usually none. Read on demand: an interrupted
 * run keeps what it has explained.
 */
export async function* unexplained(deps: StrayDeps): AsyncGenerator<UnexplainedMovement> {
  for (const step of await laneSteps.unnamed(deps.db)) yield readUnexplained(deps, step);
}

export async function readUnexplained(deps: StrayDeps, step: laneSteps.SettledStep): Promise<UnexplainedMovement> {
  const purpose = `step ${step.number} of lane ${step.lane}` as Purpose;
  return { step, landed: await finalizedMovement(deps, { purpose, signature: step.signature }) };
}

export async function purposeAmong(
  { lanes }: StrayDeps,
  { step }: Pick<UnexplainedMovement, 'step'>,
  candidates: Iterable<Purpose>,
): Promise<Purpose | undefined> {
  const { secret } = await lanes.ground();
  const { lane, number, fromValue: from, toValue, digest } = step;
  for (const purpose of candidates) {
    if (laneOf(purpose) === lane && stepValue(secret, number, { from, purpose, digest }) === toValue) return purpose;
  }
  return undefined;
}

export async function explain(
  { db }: StrayDeps,
  { step, landed }: UnexplainedMovement,
  purpose: Purpose,
): Promise<void> {
  await laneSteps.name(db, step, purpose, bytesOf(landed));
}
