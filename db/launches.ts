import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { LaunchMode } from '../domain/launch-facts.ts';
import type { Db } from './connect.ts';
import { insertIntake, type LaunchIntake } from './launch-intake.ts';
import { lockState, transition, type TransitionDetails } from './launch-transition.ts';
import { type LaunchRecord, toLaunchRecord } from './records.ts';
import type { Database, LaunchLogoTable, LaunchSignatureTable, LaunchStateHistoryTable } from './schema.ts';
import type { LaunchState } from '../domain/launch-state.ts';

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

export type LaunchRepository = ReturnType<typeof createLaunchRepository>;

/** Launches, their payment signatures, state history and logos. */
export function createLaunchRepository(db: Db) {
  return {
    insertIntake: (intake: LaunchIntake) => insertIntake(db, intake),
    transition: (quoteId: string, from: readonly LaunchState[], to: LaunchState, details?: TransitionDetails) =>
      transition(db, quoteId, from, to, details),
    lockState: (quoteId: string) => lockState(db, quoteId),
    /** The launch of a quote, or null. */
    byQuoteId: (quoteId: string) => byQuoteId(db, quoteId),
    /** The launch that any signature of its payment belongs to: submitted, alias or landed. */
    bySignature: (signature: string) => bySignature(db, signature),
    /** The launch of a mint, or null; also one that never landed. */
    byMint: (mint: string) => byMint(db, mint),
    signatures: (quoteId: string) => signatures(db, quoteId),
    /** Every state the launch was in, oldest first. */
    history: (quoteId: string) => history(db, quoteId),
    /** The logo's bytes, or null once the launch is settled. */
    logo: (quoteId: string) => logo(db, quoteId),
    /** The public ledger, newest first: launches that completed and whose token is neither hidden nor withdrawn. */
    ledger: (filter: LedgerFilter, paging: Paging) => ledger(db, filter, paging),
    countLedger: (filter: LedgerFilter) => countLedger(db, filter),
    /** Finalized launches whose wallet still holds what was left, oldest first. */
    unswept: (limit = 20) => unswept(db, limit),
    markSwept: (quoteId: string) => markSwept(db, quoteId),
    /** Launches that are not settled and were last touched before `olderThan`, oldest first: a workflow should be at them. */
    openLaunches: (olderThan: Date, limit = 100) => openLaunches(db, olderThan, limit),
    /** Launches that wait for an operator, by quote id, after `afterQuoteId`; a workflow should wait with them. */
    parkedLaunches: (afterQuoteId: string | null, limit = 100) => parkedLaunches(db, afterQuoteId, limit),
    /** What an operator should look at: launches in need of recovery, and open ones that nothing touched since `quietSince`. */
    stuck: (quietSince: Date, limit = 100) => stuck(db, quietSince, limit),
    /** Launches in any of these states (default: all), last submitted first. */
    newest: (states: readonly LaunchState[] = [], limit = 100) => newest(db, states, limit),
  };
}

async function byQuoteId(db: Db, quoteId: string): Promise<LaunchRecord | null> {
  const row = await db.selectFrom('launches').selectAll().where('quoteId', '=', quoteId).executeTakeFirst();
  return row ? toLaunchRecord(row) : null;
}

async function bySignature(db: Db, signature: string): Promise<LaunchRecord | null> {
  const row = await db
    .selectFrom('launches')
    .innerJoin('launchSignatures', 'launchSignatures.quoteId', 'launches.quoteId')
    .selectAll('launches')
    .where('launchSignatures.signature', '=', signature)
    .executeTakeFirst();
  return row ? toLaunchRecord(row) : null;
}

async function byMint(db: Db, mint: string): Promise<LaunchRecord | null> {
  const row = await db.selectFrom('launches').selectAll().where('mint', '=', mint).executeTakeFirst();
  return row ? toLaunchRecord(row) : null;
}

function signatures(db: Db, quoteId: string): Promise<LaunchSignature[]> {
  const rows = db.selectFrom('launchSignatures').selectAll().where('quoteId', '=', quoteId);
  return rows.orderBy('addedAt').orderBy('signature').execute();
}

function history(db: Db, quoteId: string): Promise<LaunchStateEntry[]> {
  return db.selectFrom('launchStateHistory').selectAll().where('quoteId', '=', quoteId).orderBy('id').execute();
}

async function logo(db: Db, quoteId: string): Promise<LaunchLogo | null> {
  const row = await db.selectFrom('launchLogos').selectAll().where('quoteId', '=', quoteId).executeTakeFirst();
  return row ?? null;
}

async function ledger(db: Db, filter: LedgerFilter, { page, pageSize }: Paging): Promise<LedgerPage> {
  const rows = await publicLaunches(db, filter)
    .selectAll('launches')
    .orderBy('launchedAt', 'desc')
    .orderBy('quoteId', 'desc')
    .limit(pageSize + 1)
    .offset((page - 1) * pageSize)
    .execute();
  return { launches: rows.slice(0, pageSize).map(toLaunchRecord), hasMore: rows.length > pageSize };
}

async function countLedger(db: Db, filter: LedgerFilter): Promise<number> {
  const { count } = await publicLaunches(db, filter)
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
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

async function openLaunches(db: Db, olderThan: Date, limit: number): Promise<LaunchRecord[]> {
  const rows = await unsettled(db)
    .where('updatedAt', '<', olderThan)
    .where('state', '!=', sql.lit('needs_recovery'))
    .limit(limit)
    .execute();
  return rows.map(toLaunchRecord);
}

async function unswept(db: Db, limit: number): Promise<LaunchRecord[]> {
  const rows = await db
    .selectFrom('launches')
    .selectAll()
    .where('state', '=', sql.lit('finalized'))
    .where('sweptAt', 'is', null)
    .orderBy('finalizedAt')
    .limit(limit)
    .execute();
  return rows.map(toLaunchRecord);
}

async function markSwept(db: Db, quoteId: string): Promise<void> {
  await db
    .updateTable('launches')
    .set({ sweptAt: sql`now()` })
    .where('quoteId', '=', quoteId)
    .execute();
}

async function parkedLaunches(db: Db, afterQuoteId: string | null, limit: number): Promise<LaunchRecord[]> {
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

async function stuck(db: Db, quietSince: Date, limit: number): Promise<LaunchRecord[]> {
  const rows = await unsettled(db)
    .where((eb) => eb.or([eb('state', '=', 'needs_recovery'), eb('updatedAt', '<', quietSince)]))
    .limit(limit)
    .execute();
  return rows.map(toLaunchRecord);
}

async function newest(db: Db, states: readonly LaunchState[], limit: number): Promise<LaunchRecord[]> {
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
    .where(sql<boolean>`state not in ('finalized', 'refunded', 'not_landed')`)
    .orderBy('updatedAt')
    .orderBy('quoteId');
}
