import type { Db } from '../../../db/connect.ts';
import type { DueLock, Unsigned } from '../../../db/money/due-lock.ts';
import type { Purpose } from '../../../domain/purpose.ts';
import type { MoneyDeps } from '../deps.ts';
import type { FinalizedMovement } from '../movement.ts';
import type { Movement } from '../move-once.ts';

/** A leg with what building and booking share. */
export interface OpenLeg extends Omit<Movement, 'purpose' | 'assertDue'> {
  /** Runs in the database transaction that persists the signed bytes, under the lock. */
  readonly signing?: (tx: Db) => Promise<void>;
  /** Books the finalized movement; a booked one changes nothing. */
  readonly book: (landed: FinalizedMovement) => Promise<void>;
}

/** Why a leg ends without a movement. */
export type EndCause =
  | { readonly kind: 'unmoved'; readonly reason: string }
  /** `signature`: of the transaction that failed on the chain. */
  | { readonly kind: 'error'; readonly reason: string; readonly signature?: string }
  | { readonly kind: 'operator'; readonly reason: string };

/**
 * One movement of planned work, declared once: the runner moves it, an operator's closing ends it, both under its lock.
 * `Work` is the plan as it was read, `Row` what the lock reads.
 */
export interface Leg<Deps extends MoneyDeps, Work, Row = unknown> {
  purpose(work: Work): Purpose;
  /** Locks the rows that decide whether it is due; null if it is not. */
  lock(tx: Db, work: Work): Promise<DueLock<Row> | null>;
  open(deps: Deps, work: Work): Promise<OpenLeg>;
  /** Transactions that may fail on the chain before `endsOn` is asked. Default: 1. */
  readonly tries?: number;
  /** Returns the cause if the error ends the leg. Default: none does, and the next run tries again. */
  endsOn?(error: unknown, work: Work): EndCause | null;
  /** Ends it finally, because there is nothing to move, an error ends it or an operator does. */
  end(unsigned: Unsigned<Row>, cause: EndCause): Promise<void>;
}

/** A leg that an operator can end alone. */
export interface ClosableLeg<Deps extends MoneyDeps, Work, Row = unknown> extends Leg<Deps, Work, Row> {
  /** Says what its end means, for the operator who ended it. */
  ended(row: Row): string;
}

/** A kind of planned work. */
export interface WorkKind<Deps extends MoneyDeps, Key, Work> {
  /** The word that operators use for it. */
  readonly name: string;
  /** Null if it was cancelled. */
  find(db: Db, key: Key): Promise<Work | null>;
  /** Null if nothing is left to move. */
  next(work: Work): ClosableLeg<Deps, Work> | null;
  /** Absent where a problem ends the work. */
  noteProblem?(db: Db, key: Key, problem: string): Promise<void>;
}
