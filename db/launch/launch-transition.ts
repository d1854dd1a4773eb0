import { sql, type Transaction } from 'kysely';
import { mayFollow } from '../../domain/launch/machine.ts';
import { isSettled, type LaunchState } from '../../domain/launch/state.ts';
import { type Db, transaction } from '../connect.ts';
import { ContradictionError } from '../errors.ts';
import type { Database } from '../schema/database.ts';

/** What becomes known with a transition. A field that is left out stays as it is; null clears it. */
export interface TransitionDetails {
  readonly reason?: string | null;
  /** What an operator has to decide; kept only while the launch is in `needs_recovery`. */
  readonly blockedReason?: string;
  /** Signature of the payment that landed; null when a fork took it back. */
  readonly paymentSignature?: string | null;
  readonly refundSignature?: string;
  /** Slot of what happened on the chain. */
  readonly slot?: bigint;
  /** Block time of the launch. */
  readonly launchedAt?: Date;
  /** For the history only. */
  readonly note?: string;
}

/**
 * Moves a launch from one of the states `from` to `to` and answers whether it happened: of two concurrent calls that
 * exclude each other one gets false. Writes the history in the same database transaction; a settled launch loses its logo.
 * Rejects with a RangeError where the launch's life has no such transition: that is a mistake in the caller, not a race.
 */
export async function transitionLaunch(
  db: Db,
  quoteId: string,
  from: readonly LaunchState[],
  to: LaunchState,
  details: TransitionDetails = {},
): Promise<boolean> {
  assertInMachine(quoteId, from, to);
  return transaction(db, async (tx) => {
    if (!(await updateState(tx, quoteId, from, to, details))) return false;
    if (details.paymentSignature !== undefined) await setLanded(tx, quoteId, details.paymentSignature);
    await tx
      .insertInto('launchStateHistory')
      .values({ quoteId, state: to, slot: details.slot, note: details.note ?? details.blockedReason ?? details.reason })
      .execute();
    if (isSettled(to)) await tx.deleteFrom('launchLogos').where('quoteId', '=', quoteId).execute();
    return true;
  });
}

/** State of a launch, null where there is none. Inside a database transaction it stays so until that ends. */
export async function lockLaunchState(db: Db, quoteId: string): Promise<LaunchState | null> {
  const row = db.selectFrom('launches').select('state').where('quoteId', '=', quoteId).forUpdate();
  return (await row.executeTakeFirst())?.state ?? null;
}

function assertInMachine(quoteId: string, from: readonly LaunchState[], to: LaunchState): void {
  const wrong = from.find((state) => !mayFollow(state, to));
  if (wrong !== undefined) throw new RangeError(`launch ${quoteId} cannot go from ${wrong} to ${to}`);
}

/** States in which nothing is known to be paid. */
const UNPAID: readonly LaunchState[] = ['received', 'preparing', 'landing'];

/** A launch that ended unpaid counts for the limit of stored files for a day more; one without files is forgotten at once. */
const CLIENT_OF_UNPAID_FILES = sql<string | null>`case when files_stored_at is null then null else client end`;

async function updateState(
  tx: Transaction<Database>,
  quoteId: string,
  from: readonly LaunchState[],
  to: LaunchState,
  details: TransitionDetails,
): Promise<boolean> {
  const { reason, paymentSignature, refundSignature, slot, launchedAt } = details;
  const updated = await tx
    .updateTable('launches')
    .set({ state: to, reason, paymentSignature, refundSignature, slot, launchedAt, updatedAt: sql`now()` })
    .set({ blockedReason: to === 'needs_recovery' ? (details.blockedReason ?? null) : null })
    .$if(!UNPAID.includes(to), (query) => query.set({ client: to === 'not_landed' ? CLIENT_OF_UNPAID_FILES : null }))
    .$if(to === 'completed', (query) => query.set({ completedAt: sql`coalesce(completed_at, now())` }))
    .$if(to === 'finalized', (query) => query.set({ finalizedAt: sql`now()` }))
    .where('quoteId', '=', quoteId)
    .where('state', 'in', from)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

async function setLanded(tx: Transaction<Database>, quoteId: string, signature: string | null): Promise<void> {
  await tx
    .updateTable('launchSignatures')
    .set({ kind: 'alias' })
    .where('quoteId', '=', quoteId)
    .where('kind', '=', 'landed')
    .execute();
  if (signature === null) return;
  const written = await tx
    .insertInto('launchSignatures')
    .values({ signature, quoteId, kind: 'landed' })
    .onConflict((conflict) =>
      conflict.column('signature').doUpdateSet({ kind: 'landed' }).where('launchSignatures.quoteId', '=', quoteId),
    )
    .returning('signature')
    .executeTakeFirst();
  if (!written) throw new ContradictionError(`launch/${quoteId}`, `signature ${signature} belongs to another launch`);
}
