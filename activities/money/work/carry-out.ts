import { type Db, transaction } from '../../../db/connect.ts';
import { type DueLock, proveUnsigned, unsignedOrNull } from '../../../db/money/due-lock.ts';
import { errorText } from '../../../domain/error-text.ts';
import type { MoneyDeps } from '../deps.ts';
import { finalizedMovement } from '../movement.ts';
import { type Moved, moveOnce, MovementFailedError } from '../move-once.ts';
import type { EndCause, Leg, OpenLeg, WorkKind } from './leg.ts';

/**
 * Moves the legs of a piece of work until none is left, and notes what stops it. Returns the work as it is then; null
 * if it was cancelled. After a crash at any point the next call goes on.
 */
export async function carryOut<Deps extends MoneyDeps, Key, Work>(
  deps: Deps,
  kind: WorkKind<Deps, Key, Work>,
  key: Key,
): Promise<Work | null> {
  try {
    for (;;) {
      const work = await kind.find(deps.db, key);
      const leg = work && kind.next(work);
      if (!leg) return work;
      await moveLeg(deps, leg, work);
    }
  } catch (error) {
    await noteProblem(deps, kind, key, error);
    throw error;
  }
}

async function noteProblem<Deps extends MoneyDeps, Key, Work>(
  { db, logger }: Deps,
  kind: WorkKind<Deps, Key, Work>,
  key: Key,
  error: unknown,
): Promise<void> {
  try {
    await kind.noteProblem?.(db, key, errorText(error));
  } catch (cause) {
    logger.error({ err: cause }, `the problem of a ${kind.name} could not be noted`);
  }
}

/** `signed`: nothing was to be moved, but another worker has signed it meanwhile; the next look follows it. */
type LegOutcome = 'moved' | 'ended' | 'signed';

/** Moves it once and books it, or ends it. */
export async function moveLeg<Deps extends MoneyDeps, Work>(
  deps: Deps,
  leg: Leg<Deps, Work>,
  work: Work,
): Promise<LegOutcome> {
  const open = await leg.open(deps, work);
  for (let tries = 1; ; tries++) {
    try {
      const moved = await move(deps, leg, work, open);
      if (!moved) return await endUnmoved(deps.db, leg, work);
      await open.book(await finalizedMovement(deps, moved));
      return 'moved';
    } catch (error) {
      if (error instanceof MovementFailedError && tries < (leg.tries ?? 1)) {
        deps.logger.warn({ err: error, tries }, 'a movement failed and is tried again');
        continue;
      }
      const cause = leg.endsOn?.(error, work);
      if (!cause) throw error;
      deps.logger.warn({ err: error }, 'a movement is given up');
      await endLeg(deps.db, leg, work, cause);
      return 'ended';
    }
  }
}

function move<Deps extends MoneyDeps, Work>(
  deps: Deps,
  leg: Leg<Deps, Work>,
  work: Work,
  { signing, ...movement }: OpenLeg,
): Promise<Moved | null> {
  const purpose = leg.purpose(work);
  const assertDue = async (tx: Db): Promise<DueLock> => {
    const lock = await leg.lock(tx, work);
    if (!lock) throw new Error(`${purpose} is not due any more`);
    await signing?.(tx);
    return lock;
  };
  return moveOnce(deps, { ...movement, purpose, assertDue });
}

function endUnmoved<Deps extends MoneyDeps, Work>(db: Db, leg: Leg<Deps, Work>, work: Work): Promise<LegOutcome> {
  return transaction(db, async (tx) => {
    const lock = await leg.lock(tx, work);
    if (!lock) return 'ended';
    const unsigned = await unsignedOrNull(lock);
    if (!unsigned) return 'signed';
    await leg.end(unsigned, { kind: 'unmoved', reason: 'there was nothing to move' });
    return 'ended';
  });
}

/**
 * Ends what is still due.
 * @throws PurposeSignedError if it may still move, or has
 */
function endLeg<Deps extends MoneyDeps, Work>(
  db: Db,
  leg: Leg<Deps, Work>,
  work: Work,
  cause: EndCause,
): Promise<void> {
  return transaction(db, async (tx) => {
    const lock = await leg.lock(tx, work);
    if (lock) await leg.end(await proveUnsigned(lock), cause);
  });
}
