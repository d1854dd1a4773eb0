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

export type UnrecordedDeps = Pick<MoneyDeps, 'db' | 'rpc' | 'now' | 'sleep' | 'lanes'>;

/**
 * Yields movements that a quorum shows and no row explains, oldest first; usually none. Read on demand: an interrupted
 * run keeps what it has explained.
 */
export async function* unexplained(deps: UnrecordedDeps): AsyncGenerator<UnexplainedMovement> {
  for (const step of await laneSteps.unnamed(deps.db)) yield readUnexplained(deps, step);
}

export async function readUnexplained(deps: UnrecordedDeps, step: laneSteps.SettledStep): Promise<UnexplainedMovement> {
  const purpose = `step ${step.number} of lane ${step.lane}` as Purpose;
  return { step, landed: await finalizedMovement(deps, { purpose, signature: step.signature }) };
}

export async function purposeAmong(
  { lanes }: UnrecordedDeps,
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
  { db }: UnrecordedDeps,
  { step, landed }: UnexplainedMovement,
  purpose: Purpose,
): Promise<void> {
  await laneSteps.name(db, step, purpose, bytesOf(landed));
}

/** How a noun finds and books its own movements among those that the ledger lacks. */
export interface UnrecordedKind<Facts> {
  /** Purposes that the movement may have been made for, likely ones first; null if it is none of the noun's. */
  candidates(movement: UnexplainedMovement): Promise<Iterable<readonly [Purpose, Facts]> | null>;
  /** Books it: `new` if the books lacked it, `known` if they have it; `waits` if another movement must be booked first. */
  book(movement: UnexplainedMovement, facts: Facts): Promise<'new' | 'known' | 'waits'>;
}

export interface Adopted {
  /** Movements that the books lacked. */
  readonly booked: number;
  /** Movements of the noun that nothing explains. */
  readonly left: number;
}

/** Books movements that the chain has and the ledger lacks. A step's tag names its purpose; only final steps count. */
export async function adoptUnrecorded<Facts>(deps: UnrecordedDeps, kind: UnrecordedKind<Facts>): Promise<Adopted> {
  let [booked, left] = [0, 0];
  for await (const movement of unexplained(deps)) {
    const candidates = await kind.candidates(movement);
    if (candidates === null) continue;
    const found = await factsAmong(deps, movement, candidates);
    const outcome = found ? await kind.book(movement, found.facts) : 'waits';
    if (found && outcome !== 'waits') await explain(deps, movement, found.purpose);
    if (outcome === 'new') booked++;
    if (outcome === 'waits') left++;
  }
  return { booked, left };
}

async function factsAmong<Facts>(
  deps: UnrecordedDeps,
  movement: UnexplainedMovement,
  candidates: Iterable<readonly [Purpose, Facts]>,
): Promise<{ readonly purpose: Purpose; readonly facts: Facts } | null> {
  let last: readonly [Purpose, Facts] | undefined;
  function* purposes(): Iterable<Purpose> {
    for (last of candidates) yield last[0];
  }
  const purpose = await purposeAmong(deps, movement, purposes());
  return purpose !== undefined && last?.[0] === purpose ? { purpose, facts: last[1] } : null;
}
