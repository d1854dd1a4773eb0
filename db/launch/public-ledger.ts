/** The public ledger: launches that completed and whose token is neither hidden nor withdrawn. */

import { type ExpressionBuilder, sql } from 'kysely';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';
import type { Paging } from '../paging.ts';
import type { Database } from '../schema/database.ts';
import { type LaunchRecord, toLaunchRecord } from './launch-records.ts';
import { PUBLIC_LAUNCHES } from './launch-totals.ts';

/** Which launches of the public ledger, all filters combined. */
export interface LedgerFilter {
  readonly creator?: string;
  readonly mode?: LaunchMode;
  /** Only launches at or after this time. */
  readonly since?: Date;
}

export interface LedgerPage {
  readonly launches: LaunchRecord[];
  readonly hasMore: boolean;
}

/**
 * The public ledger, newest first: launches that completed and whose token is neither hidden nor withdrawn. `total` is about how
 * many there are, where that is known: what is nearer to the end of the whole ledger is counted off from there.
 */
export async function page(
  db: Db,
  filter: LedgerFilter,
  paging: Paging,
  total = Number.POSITIVE_INFINITY,
): Promise<LedgerPage> {
  const { pageSize } = paging;
  const isNearEnd = isWhole(filter) && (paging.page - 1) * pageSize > total / 2;
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
export async function count(db: Db, filter: LedgerFilter): Promise<number> {
  if (isWhole(filter)) return (await db.selectNoFrom(PUBLIC_LAUNCHES.as('count')).executeTakeFirstOrThrow()).count;
  const counted = publicLaunches(db, filter).select((eb) => eb.fn.countAll<bigint>().as('count'));
  return Number((await counted.executeTakeFirstOrThrow()).count);
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
