import { sql, type Transaction } from 'kysely';
import { mayFollow } from '../../domain/launch/machine.ts';
import { isSettled, type LaunchState } from '../../domain/launch/state.ts';
import { type Db, transaction } from '../connect.ts';
import { ContradictionError } from '../errors.ts';
import type { Database } from '../schema/database.ts';

/** An omitted field stays; null clears it. */
export interface TransitionDetails {
  readonly reason?: string | null;
  /** For an operator; only in `needs_recovery`. */
  readonly blockedReason?: string;
  /** Of the landed payment; null when a fork removed it. */
  readonly paymentSignature?: string | null;
  readonly refundSignature?: string;
  readonly slot?: bigint;
  /** Block time. */
  readonly launchedAt?: Date;
  readonly note?: string;
}

/**
 * Moves the launch to a state. Of two conflicting calls one returns false. Writes the history in the same transaction;
 * a settled launch loses its logo.
 * @throws RangeError without such a transition: a bug in the caller
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

/** Locks the state until the transaction ends; null without a launch. */
export async function lockLaunchState(db: Db, quoteId: string): Promise<LaunchState | null> {
  const row = db.selectFrom('launches').select('state').where('quoteId', '=', quoteId).forUpdate();
  return (await row.executeTakeFirst())?.state ?? null;
}

function assertInMachine(quoteId: string, from: readonly LaunchState[], to: LaunchState): void {
  const wrong = from.find((state) => !mayFollow(state, to));
  if (wrong !== undefined) throw new RangeError(`launch ${quoteId} cannot go from ${wrong} to ${to}`);
}

/** States in which no payment is known. */
const UNPAID: readonly LaunchState[] = ['received', 'preparing', 'landing'];

/** An unpaid launch with files counts for another day, so its client stays; otherwise it is deleted. */
const CLIENT_OF_UNPAID_FILES = {
  client: sql<string | null>`case when files_stored_at is null then null else client end`,
  clientNetwork: sql<string | null>`case when files_stored_at is null then null else client_network end`,
};
const NO_CLIENT = { client: null, clientNetwork: null };

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
    .$if(!UNPAID.includes(to), (query) => query.set(to === 'not_landed' ? CLIENT_OF_UNPAID_FILES : NO_CLIENT))
    .$if(to === 'completed', (query) => query.set({ completedAt: sql`now()` }))
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
