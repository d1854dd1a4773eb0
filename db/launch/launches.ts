/** With payment signatures, state history and logos. */

import { type Selectable, sql } from 'kysely';
import type { Db } from '../connect.ts';
import { type LaunchRecord, toLaunchRecord } from './launch-records.ts';
import type { LaunchLogoTable, LaunchSignatureTable, LaunchStateHistoryTable } from '../schema/launch.ts';
import type { LaunchState } from '../../domain/launch/state.ts';

export type LaunchLogo = Selectable<LaunchLogoTable>;
export type LaunchSignature = Selectable<LaunchSignatureTable>;
export type LaunchStateEntry = Selectable<LaunchStateHistoryTable>;

export async function byQuoteId(db: Db, quoteId: string): Promise<LaunchRecord | null> {
  const row = await db.selectFrom('launches').selectAll().where('quoteId', '=', quoteId).executeTakeFirst();
  return row ? toLaunchRecord(row) : null;
}

/** Finds a launch by any of its signatures: submitted, alias or landed. */
export async function bySignature(db: Db, signature: string): Promise<LaunchRecord | null> {
  const row = await db
    .selectFrom('launches')
    .innerJoin('launchSignatures', 'launchSignatures.quoteId', 'launches.quoteId')
    .selectAll('launches')
    .where('launchSignatures.signature', '=', signature)
    .executeTakeFirst();
  return row ? toLaunchRecord(row) : null;
}

/** Finds a launch by mint, also one that never landed. */
export async function byMint(db: Db, mint: string): Promise<LaunchRecord | null> {
  const row = await db.selectFrom('launches').selectAll().where('mint', '=', mint).executeTakeFirst();
  return row ? toLaunchRecord(row) : null;
}

/** Lists signatures in order of arrival. */
export function signatures(db: Db, quoteId: string): Promise<LaunchSignature[]> {
  const rows = db.selectFrom('launchSignatures').selectAll().where('quoteId', '=', quoteId);
  return rows.orderBy('addedAt').orderBy('signature').execute();
}

/** Oldest first. */
export function history(db: Db, quoteId: string): Promise<LaunchStateEntry[]> {
  return db.selectFrom('launchStateHistory').selectAll().where('quoteId', '=', quoteId).orderBy('id').execute();
}

/** Null once settled. */
export async function logo(db: Db, quoteId: string): Promise<LaunchLogo | null> {
  const row = await db.selectFrom('launchLogos').selectAll().where('quoteId', '=', quoteId).executeTakeFirst();
  return row ?? null;
}

/** Each should have a workflow. */
export async function open(
  db: Db,
  olderThan: Date,
  afterQuoteId: string | null = null,
  limit = 100,
): Promise<LaunchRecord[]> {
  const rows = await unsettled(db)
    .where('updatedAt', '<', olderThan)
    .where('state', '!=', sql.lit('needs_recovery'))
    .$if(afterQuoteId !== null, (query) => query.where('quoteId', '>', afterQuoteId!))
    .orderBy('quoteId')
    .limit(limit)
    .execute();
  return rows.map(toLaunchRecord);
}

/** Each should have a workflow. */
export async function parked(db: Db, afterQuoteId: string | null, limit = 100): Promise<LaunchRecord[]> {
  const rows = await db
    .selectFrom('launches')
    .selectAll()
    .where('state', '=', 'needs_recovery')
    .$if(afterQuoteId !== null, (query) => query.where('quoteId', '>', afterQuoteId!))
    .orderBy('quoteId')
    .limit(limit)
    .execute();
  return rows.map(toLaunchRecord);
}

/** Since when an open launch waits. */
const OPEN_SINCE = sql<Date>`case state when 'refunding' then updated_at when 'completed' then completed_at else submitted_at end`;

/**
 * Lists launches in recovery first, then open ones that were submitted before `overdueSince`: each new try changes the
 * row. A refund counts from its last step, the finality of a live one from its completion.
 */
export async function stuck(db: Db, overdueSince: Date, limit = 100): Promise<LaunchRecord[]> {
  const rows = await unsettled(db)
    .where((eb) => eb.or([eb('state', '=', 'needs_recovery'), eb(OPEN_SINCE, '<', overdueSince)]))
    .orderBy((eb) => eb('state', '=', 'needs_recovery'), 'desc')
    .orderBy('submittedAt')
    .orderBy('quoteId')
    .limit(limit)
    .execute();
  return rows.map(toLaunchRecord);
}

/** Lists launches in these states (default: all), last submitted first. */
export async function newest(db: Db, states: readonly LaunchState[] = [], limit = 100): Promise<LaunchRecord[]> {
  const rows = await db
    .selectFrom('launches')
    .selectAll()
    .$if(states.length > 0, (query) => query.where('state', 'in', states))
    .orderBy('submittedAt', 'desc')
    .orderBy('quoteId', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toLaunchRecord);
}

function unsettled(db: Db) {
  return db
    .selectFrom('launches')
    .selectAll()
    .where(sql<boolean>`state not in ('finalized', 'refunded', 'not_landed')`);
}
