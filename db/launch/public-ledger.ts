/** Completed, token not withdrawn; also where an admin hid it. */

import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';
import type { Paging } from '../paging.ts';
import type { Database } from '../schema/database.ts';
import { type LaunchRecord, toLaunchRecord } from './launch-records.ts';
import { PUBLIC_LAUNCHES } from './launch-totals.ts';

/** Filters; several are combined. */
export interface LedgerFilter {
  readonly creator?: string;
  readonly mode?: LaunchMode;
  /** Inclusive. */
  readonly since?: Date;
  readonly airdrop?: true;
}

export interface LedgerPage {
  readonly launches: LaunchRecord[];
  readonly hasMore: boolean;
}

/** Newest first. `total`: approximate; pages in the second half are read from the end. */
export async function page(
  db: Db,
  filter: LedgerFilter,
  paging: Paging,
  total = Number.POSITIVE_INFINITY,
): Promise<LedgerPage> {
  const { pageSize } = paging;
  const isNearEnd = isWhole(filter) && (paging.page - 1) * pageSize > total / 2;
  const rows = await db
    // Skipped in the index; their terms are not read.
    .with('page', () => (isNearEnd ? pageFromEnd(db, paging) : pageFromStart(db, filter, paging)))
    .selectFrom('page')
    .innerJoin('launches', 'launches.quoteId', 'page.quoteId')
    .selectAll('launches')
    .orderBy('launchedAt', 'desc')
    .orderBy('launches.quoteId', 'desc')
    .execute();
  return { launches: rows.slice(0, pageSize).map(toLaunchRecord), hasMore: rows.length > pageSize };
}

/** Reads the page and the first launch after it. */
function pageFromStart(db: Db, filter: LedgerFilter, { page, pageSize }: Paging) {
  return publicLaunches(db, filter)
    .select('launches.quoteId')
    .orderBy('launchedAt', 'desc')
    .orderBy('launches.quoteId', 'desc')
    .limit(pageSize + 1)
    .offset((page - 1) * pageSize);
}

/** The outer limit tells the planner how few rows result. */
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

/** Counts the matches. The total is kept; filtered counts are computed. */
export async function count(db: Db, filter: LedgerFilter): Promise<number> {
  if (isWhole(filter)) return (await db.selectNoFrom(PUBLIC_LAUNCHES.as('count')).executeTakeFirstOrThrow()).count;
  const counted = publicLaunches(db, filter).select((eb) => eb.fn.countAll<bigint>().as('count'));
  return Number((await counted.executeTakeFirstOrThrow()).count);
}

export interface CreatorRecord {
  readonly launches: number;
  readonly graduated: number;
  /** Traded within the last 24 hours. */
  readonly stillTraded: number;
}

export async function creatorRecord(db: Db, creator: string): Promise<CreatorRecord> {
  const count = (which: RawBuilder<unknown>) => sql<number>`count(*) filter (where ${which})::integer`;
  return publicLaunches(db, { creator })
    .leftJoin('tokenMarkets', 'tokenMarkets.mint', 'launches.mint')
    .leftJoin('tokenTrading', 'tokenTrading.mint', 'launches.mint')
    .select([
      count(sql`true`).as('launches'),
      count(sql`token_markets.status = 'graduated'`).as('graduated'),
      count(sql`token_trading.trades24h > 0`).as('stillTraded'),
    ])
    .executeTakeFirstOrThrow();
}

function isWhole({ creator, mode, since, airdrop }: LedgerFilter): boolean {
  return creator === undefined && mode === undefined && since === undefined && airdrop === undefined;
}

function publicLaunches(db: Db, { creator, mode, since, airdrop }: LedgerFilter) {
  return (
    db
      .selectFrom('launches')
      // For the partial indexes.
      .where(sql<boolean>`launches.state in ('completed', 'finalized')`)
      .where((eb) => eb.not(eb.exists(withdrawnTokens(eb))))
      .$if(creator !== undefined, (query) => query.where('launches.creator', '=', creator!))
      .$if(mode !== undefined, (query) => query.where('launches.mode', '=', mode!))
      .$if(since !== undefined, (query) => query.where('launchedAt', '>=', since!))
      .$if(airdrop === true, (query) => query.where((eb) => eb.exists(airdropOf(eb))))
  );
}

function airdropOf(eb: ExpressionBuilder<Database, 'launches'>) {
  return eb.selectFrom('airdrops').select('airdrops.quoteId').whereRef('airdrops.quoteId', '=', 'launches.quoteId');
}

function withdrawnTokens(eb: ExpressionBuilder<Database, 'launches'>) {
  return eb
    .selectFrom('tokens')
    .whereRef('tokens.quoteId', '=', 'launches.quoteId')
    .where('tokens.withdrawnAt', 'is not', null);
}
