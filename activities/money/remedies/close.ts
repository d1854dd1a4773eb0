import { laneOf } from '../../../chain/lanes/lane.ts';
import { type DueLock, proveUnsigned, PurposeSignedError, type Unsigned } from '../../../db/money/due-lock.ts';
import * as laneSteps from '../../../db/money/lane-steps.ts';
import * as unknownWork from '../../../db/money/unknown-work.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import type { MoneyDeps } from '../deps.ts';
import type { ReconcileDeps } from '../reconcile/deps.ts';
import { purposeAmong } from '../unrecorded.ts';
import type { WorkKind } from '../work/leg.ts';
import { type CarryOut, RemedyRefusedError } from './refused.ts';

/** Ends planned work that can never continue. Finished movements stay, the others never happen. */
export interface Ending<Row> {
  /** The word that operators use for it. */
  readonly name: string;
  /** Locks what is still due of it; null if it has ended. */
  lock(deps: ReconcileDeps, subject: string): Promise<DueLock<Row> | null>;
  /** Purposes that a plan which a restored database lost may have had. Default: those of the lock. */
  lost?(subject: string): Iterable<Purpose>;
  /** Returns what has ended, in words. */
  end(unsigned: Unsigned<Row>): Promise<string>;
}

/** Locks before it checks whether a movement is signed. */
export function closing<Row>(ending: Ending<Row>): CarryOut {
  return async (deps, subject) => {
    const lock = await ending.lock(deps, subject);
    if (!lock) throw new RemedyRefusedError(`${subject} is no open ${ending.name}`);
    return ending.end(await unsigned(deps, lock, ending.lost?.(subject)));
  };
}

/** Ends the leg that is next. */
export function closingOf<Deps extends MoneyDeps, Key, Work>(
  kind: WorkKind<Deps, Key, Work>,
  keyIn: (subject: string) => Key,
): CarryOut {
  return async (deps, subject) => {
    const work = await kind.find(deps.db, keyIn(subject));
    const leg = work && kind.next(work);
    const lock = leg && (await leg.lock(deps.db, work));
    if (!lock) throw new RemedyRefusedError(`${subject} is no open ${kind.name}`);
    await leg.end(await unsigned(deps, lock), { kind: 'operator', reason: 'closed by an operator' });
    return leg.ended(lock.row);
  };
}

/**
 * @throws RemedyRefusedError if a signed movement may take effect, or is final and unbooked: that money would have no
 * reason
 */
async function unsigned<Row>(
  deps: ReconcileDeps,
  lock: DueLock<Row>,
  purposes: Iterable<Purpose> = lock.purposes,
): Promise<Unsigned<Row>> {
  // Final steps that a restored ledger learned from the chain name no purpose yet.
  const steps = await laneSteps.unnamed(lock.tx);
  const byLane = steps.length > 0 ? Map.groupBy(purposes, laneOf) : new Map<number, Purpose[]>();
  for (const step of steps) {
    const own = await purposeAmong(deps, { step }, byLane.get(step.lane) ?? []);
    if (own) throw new RemedyRefusedError(`${own} is final as ${step.signature}, and has yet to be booked`);
  }
  try {
    return await proveUnsigned(lock);
  } catch (error) {
    if (!(error instanceof PurposeSignedError)) throw error;
    throw new RemedyRefusedError(error.message);
  }
}

/**
 * Ends the finding of a claim, or of a launch without terms, that a restored database lacks for ever. A claim's intent
 * id is not on the chain. The launch's payment keeps its answer.
 */
export async function closeUnknown({ db }: ReconcileDeps, subject: string): Promise<string> {
  if (await unknownWork.close(db, subject)) return `${subject} stays without a row`;
  throw new RemedyRefusedError(`${subject} is not among what is unknown`);
}
