/** Launches, their payment signatures, state history and logos. */

import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';
import { type LaunchRecord, toLaunchRecord } from './launch-records.ts';
import { PUBLIC_LAUNCHES } from './launch-totals.ts';
import type { Database } from '../schema/database.ts';
import type { LaunchLogoTable, LaunchSignatureTable, LaunchStateHistoryTable } from '../schema/launch.ts';
import type { LaunchState } from '../../domain/launch/state.ts';

/** Which launches of the public ledger, all filters combined. */
export interface LedgerFilter {
  readonly creator?: string;
  readonly mode?: LaunchMode;
  /** Only launches at or after this time. */
  readonly since?: Date;
}

/** One page of a list; `page` counts from 1. */
export interface Paging {
  readonly page: number;
  readonly pageSize: number;
}

export interface LedgerPage {
  readonly launches: LaunchRecord[];
  readonly hasMore: boolean;
}

export type LaunchLogo = Selectable<LaunchLogoTable>;
export type LaunchSignature = Selectable<LaunchSignatureTable>;
export type LaunchStateEntry = Selectable<LaunchStateHistoryTable>;

/** The launch of a quote, or null. */
export async function byQuoteId(db: Db, quoteId: string): Promise<LaunchRecord | null> {
  const row = await db.selectFrom('launches').selectAll().where('quoteId', '=', quoteId).executeTakeFirst();
  return row ? toLaunchRecord(row) : null;
}

/** The launch that any signature of its payment belongs to: submitted, alias or landed. */
export async function bySignature(db: Db, signature: string): Promise<LaunchRecord | null> {
  const row = await db
    .selectFrom('launches')
    .innerJoin('launchSignatures', 'launchSignatures.quoteId', 'launches.quoteId')
    .selectAll('launches')
    .where('launchSignatures.signature', '=', signature)
    .executeTakeFirst();
  return row ? toLaunchRecord(row) : null;
}

/** The launch of a mint, or null; also one that never landed. */
export async function byMint(db: Db, mint: string): Promise<LaunchRecord | null> {
  const row = await db.selectFrom('launches').selectAll().where('mint', '=', mint).executeTakeFirst();
  return row ? toLaunchRecord(row) : null;
}

/** Every signature of a launch's payment that is known, in the order in which they came. */
export function signatures(db: Db, quoteId: string): Promise<LaunchSignature[]> {
  const rows = db.selectFrom('launchSignatures').selectAll().where('quoteId', '=', quoteId);
  return rows.orderBy('addedAt').orderBy('signature').execute();
}

/** Every state the launch was in, oldest first. */
export function history(db: Db, quoteId: string): Promise<LaunchStateEntry[]> {
  return db.selectFrom('launchStateHistory').selectAll().where('quoteId', '=', quoteId).orderBy('id').execute();
}

/** The logo's bytes, or null once the launch is settled. */
export async function logo(db: Db, quoteId: string): Promise<LaunchLogo | null> {
  const row = await db.selectFrom('launchLogos').selectAll().where('quoteId', '=', quoteId).executeTakeFirst();
  return row ?? null;
}

/**
 * The public ledger, newest first: launches that completed and whose token is neither hidden nor withdrawn. `total` is about how
 * many there are, where that is known: what is nearer to the end of the whole ledger is counted off from there.
 */
export async function ledger(
  db: Db,
  filter: LedgerFilter,
  paging: Paging,
  total = Number.POSITIVE_INFINITY,
): Promise<LedgerPage> {
  const { page, pageSize } = paging;
  const isNearEnd = isWhole(filter) && (page - 1) * pageSize > total / 2;
  const rows = await db
    // Rows before the page are counted off in the index; their terms are not read.
    .with('page', () => (isNearEnd ? pageFromEnd(db, paging) : pageFromStart(db, filter, paging)))
    .selectFrom('page')
    .innerJoin('launches', 'launches.quoteId', 'page.quoteId')
    .selectAll('launches')
    .orderBy('launchedAt', 'desc')
    .orderBy('launches.quoteId', 'desc')
    .execute();
  return { launches: rows.slice(0, pageSize).map(toLaunchRecord), hasMore: rows.length > pageSize };
}

/** A page of the ledger and the first launch after it. */
function pageFromStart(db: Db, filter: LedgerFilter, { page, pageSize }: Paging) {
  return publicLaunches(db, filter)
    .select('launches.quoteId')
    .orderBy('launchedAt', 'desc')
    .orderBy('launches.quoteId', 'desc')
    .limit(pageSize + 1)
    .offset((page - 1) * pageSize);
}

/** The same; how many come after it follows from the total that is kept. The outer limit tells the planner how few they are. */
function pageFromEnd(db: Db, { page, pageSize }: Paging) {
  const rest = sql<number>`${PUBLIC_LAUNCHES} - ${(page - 1) * pageSize}::integer`;
  const size = sql`${pageSize + 1}::integer`;
  const nearest = publicLaunches(db, {})
    .select('launches.quoteId')
    .orderBy('launchedAt')
    .orderBy('launches.quoteId')
    .limit(sql<number>`(select greatest(least(${rest}, ${size}), 0))`)
    .offset(sql<number>`(select greatest(${rest} - ${size}, 0))`);
  return db
    .selectFrom(nearest.as('nearest'))
    .select('quoteId')
    .limit(pageSize + 1);
}

/** How many launches the public ledger has in all. The whole of it is kept; what a filter leaves is counted. */
export async function countLedger(db: Db, filter: LedgerFilter): Promise<number> {
  if (isWhole(filter)) return (await db.selectNoFrom(PUBLIC_LAUNCHES.as('count')).executeTakeFirstOrThrow()).count;
  const { count } = await publicLaunches(db, filter)
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function isWhole({ creator, mode, since }: LedgerFilter): boolean {
  return creator === undefined && mode === undefined && since === undefined;
}

function publicLaunches(db: Db, { creator, mode, since }: LedgerFilter) {
  return (
    db
      .selectFrom('launches')
      // Literals, so that the planner can tell that the ledger's partial indexes apply.
      .where(sql<boolean>`launches.state in ('completed', 'finalized')`)
      .where((eb) => eb.not(eb.exists(unlistedTokens(eb))))
      .$if(creator !== undefined, (query) => query.where('creator', '=', creator!))
      .$if(mode !== undefined, (query) => query.where('mode', '=', mode!))
      .$if(since !== undefined, (query) => query.where('launchedAt', '>=', since!))
  );
}

function unlistedTokens(eb: ExpressionBuilder<Database, 'launches'>) {
  return eb
    .selectFrom('tokens')
    .whereRef('tokens.quoteId', '=', 'launches.quoteId')
    .where(sql<boolean>`(tokens.hidden or tokens.withdrawn_at is not null)`);
}

/**
 * Launches that are neither settled nor parked and were last touched before `olderThan`, by quote id, after
 * `afterQuoteId`: a workflow should be at them.
 */
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

/** Pauses of 1, 2, 4 … minutes and at most a day, so that wallets which cannot be emptied leave room for the others. */
const NEXT_EMPTYING = sql<Date>`now() + least(interval '1 day', interval '1 minute' * power(2, least(empty_tries, 20)))`;

/** Quote ids of finalized launches whose wallet is due to be emptied and whose airdrop is delivered, longest due first; each is due again later, the more often the later. */
export async function takeDueEmptyings(db: Db, limit = 20): Promise<string[]> {
  const rows = await db
    .with('due', (cte) =>
      cte
        .selectFrom('launches')
        .select('quoteId')
        .where('state', '=', sql.lit('finalized'))
        .where('emptiedAt', 'is', null)
        .where('emptyAfter', '<=', sql<Date>`now()`)
        // Its wallet pays for the delivery, and holds what is delivered.
        .where((eb) => eb.not(eb.exists(openAirdrops(eb))))
        .orderBy('emptyAfter')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('launches')
    .from('due')
    .set((eb) => ({ emptyTries: eb('emptyTries', '+', 1), emptyAfter: NEXT_EMPTYING }))
    .whereRef('launches.quoteId', '=', 'due.quoteId')
    .returning('launches.quoteId')
    .execute();
  return rows.map(({ quoteId }) => quoteId);
}

function openAirdrops(eb: ExpressionBuilder<Database, 'launches'>) {
  return eb
    .selectFrom('airdrops')
    .whereRef('airdrops.quoteId', '=', 'launches.quoteId')
    .where('airdrops.deliveredAt', 'is', null);
}

/** Notes that the launch wallet is empty: it is not due any more. */
export async function markEmptied(db: Db, quoteId: string): Promise<void> {
  await db
    .updateTable('launches')
    .set({ emptiedAt: sql`now()` })
    .where('quoteId', '=', quoteId)
    .execute();
}

/** Launches that wait for an operator, by quote id, after `afterQuoteId`; a workflow should wait with them. */
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

/** What an operator should look at: launches in need of recovery first, then open ones that nothing touched since `quietSince`. */
export async function stuck(db: Db, quietSince: Date, limit = 100): Promise<LaunchRecord[]> {
  const rows = await unsettled(db)
    .where((eb) => eb.or([eb('state', '=', 'needs_recovery'), eb('updatedAt', '<', quietSince)]))
    .orderBy((eb) => eb('state', '=', 'needs_recovery'), 'desc')
    .orderBy('updatedAt')
    .orderBy('quoteId')
    .limit(limit)
    .execute();
  return rows.map(toLaunchRecord);
}

/** Launches in any of these states (default: all), last submitted first. */
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
