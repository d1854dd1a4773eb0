import { laneOf } from '../../chain/lanes/lane.ts';
import { stepValue } from '../../chain/lanes/lane-secret.ts';
import * as laneSteps from '../../db/money/lane-steps.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { MoneyDeps } from './deps.ts';
import { bytesOf } from './learn.ts';
import { type FinalizedMovement, finalizedMovement } from './movement.ts';

/** A final movement that no purpose of the ledger explains: the ledger was restored from before it. */
export interface UnexplainedMovement {
  readonly step: laneSteps.SettledStep;
  readonly landed: FinalizedMovement;
}

type StrayDeps = Pick<MoneyDeps, 'db' | 'rpc' | 'now' | 'sleep' | 'lanes'>;

/**
 * All unexplained movements as a quorum of endpoints has them, oldest first; nearly always there are none. Each is read when it is asked
 * for, so that a ledger that lacks thousands keeps what was explained of them when it is interrupted.
 */
export async function* unexplained(deps: StrayDeps): AsyncGenerator<UnexplainedMovement> {
  for (const step of await laneSteps.unnamed(deps.db)) yield readUnexplained(deps, step);
}

/** One of them. */
export async function readUnexplained(deps: StrayDeps, step: laneSteps.SettledStep): Promise<UnexplainedMovement> {
  const purpose = `step ${step.number} of lane ${step.lane}` as Purpose;
  return { step, landed: await finalizedMovement(deps, { purpose, signature: step.signature }) };
}

/** The purpose among these that a movement was made for, by its step's tag; undefined where it is none of them. */
export async function purposeAmong(
  { lanes }: StrayDeps,
  { step }: UnexplainedMovement,
  candidates: Iterable<Purpose>,
): Promise<Purpose | undefined> {
  const { secret } = await lanes.ground();
  const { lane, number, fromValue: from, toValue, digest } = step;
  for (const purpose of candidates) {
    if (laneOf(purpose) === lane && stepValue(secret, number, { from, purpose, digest }) === toValue) return purpose;
  }
  return undefined;
}

/** Writes down what a movement was made for. */
export async function explain(
  { db }: StrayDeps,
  { step, landed }: UnexplainedMovement,
  purpose: Purpose,
): Promise<void> {
  await laneSteps.name(db, step, purpose, bytesOf(landed));
}
