import { sql, type Transaction } from 'kysely';
import { awaitsDecision, isSettled, mayFollow } from '../../domain/launch/machine.ts';
import type { LaunchState } from '../../domain/launch/state.ts';
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

/** An unpaid launch with files counts for another day, so its client stays; otherwise it is deleted. */
const CLIENT_OF_UNPAID_FILES = {
  client: sql<string | null>`case when files_stored_at is null then null else client end`,
  clientNetwork: sql<string | null>`case when files_stored_at is null then null else client_network end`,
};
const NO_CLIENT = { client: null, clientNetwork: null };

/** Written beside the state: the client is known while no payment is, and each end has its time. */
const WRITTEN = {
  received: {},
  preparing: {},
  landing: {},
  resuming: NO_CLIENT,
  recording: NO_CLIENT,
  completed: { ...NO_CLIENT, completedAt: sql<Date>`now()` },
  finalized: { ...NO_CLIENT, finalizedAt: sql<Date>`now()` },
  needs_recovery: NO_CLIENT,
  refunding: NO_CLIENT,
  refunded: NO_CLIENT,
  not_landed: CLIENT_OF_UNPAID_FILES,
} as const satisfies Record<LaunchState, object>;

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
    .set({ blockedReason: awaitsDecision(to) ? (details.blockedReason ?? null) : null })
    .set(WRITTEN[to])
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
