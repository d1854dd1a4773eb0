import { sql } from 'kysely';
import { CHAIN_TRANSACTION_STATUSES } from '../domain/chain-transaction.ts';
import { isSettled, LAUNCH_STATES } from '../domain/launch/state.ts';
import type { Db } from './connect.ts';

const OPEN_LAUNCH = LAUNCH_STATES.filter((state) => !isSettled(state));
const ENDED = ['finalized', 'dead', 'abandoned'];
const OPEN_TRANSACTION = CHAIN_TRANSACTION_STATUSES.filter((status) => !ENDED.includes(status));

/** What nobody could end without this database, in words: launches that are under way, and signed movements of money. Null where nothing is. */
export async function openWork(db: Db): Promise<string | null> {
  const launches = await countIn(db, 'launches', sql`state = any (${OPEN_LAUNCH})`);
  const transactions = await countIn(
    db,
    'chain_transactions',
    sql`status = any (${OPEN_TRANSACTION}) and not error_finalized`,
  );
  if (launches + transactions === 0) return null;
  return `${launches} launches are under way, and ${transactions} signed transactions have not come to their end`;
}

/** 0 where the table is not there yet. */
async function countIn(
  db: Db,
  table: 'launches' | 'chain_transactions',
  which: ReturnType<typeof sql>,
): Promise<number> {
  const { rows } = await sql<{ isThere: boolean }>`select to_regclass(${table}) is not null as is_there`.execute(db);
  if (!rows[0]?.isThere) return 0;
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${which}`.execute(db);
  return counted.rows[0]?.count ?? 0;
}
