import { type RawBuilder, sql } from 'kysely';
import { CHAIN_TRANSACTION_STATUSES } from '../domain/chain-transaction.ts';
import { isSettled } from '../domain/launch/machine.ts';
import { LAUNCH_STATES } from '../domain/launch/state.ts';
import type { Db } from './connect.ts';

const OPEN_LAUNCH = LAUNCH_STATES.filter((state) => !isSettled(state));
const ENDED = ['finalized', 'dead', 'abandoned'];
const OPEN_TRANSACTION = CHAIN_TRANSACTION_STATUSES.filter((status) => !ENDED.includes(status));

/** `text` follows their number. */
interface OpenRows {
  readonly table: 'launches' | 'chain_transactions' | 'airdrops' | 'reward_rounds' | 'fee_sweeps' | 'buyback_rounds';
  readonly which: RawBuilder<unknown>;
  readonly text: string;
}

const OPEN: readonly OpenRows[] = [
  { table: 'launches', which: sql`state = any (${OPEN_LAUNCH})`, text: 'launches are under way' },
  {
    table: 'chain_transactions',
    which: sql`status = any (${OPEN_TRANSACTION}) and not error_finalized`,
    text: 'signed transactions have not come to their end',
  },
  {
    table: 'airdrops',
    // A launch that a fork removed leaves its plan behind.
    which: sql`delivered_at is null and quote_id in (select quote_id from launches where state <> 'not_landed')`,
    text: 'airdrops are not delivered',
  },
  { table: 'reward_rounds', which: sql`state in ('sealing', 'paying')`, text: 'reward rounds have yet to pay' },
  { table: 'fee_sweeps', which: sql`state = 'harvested'`, text: 'harvests are not burned' },
  { table: 'buyback_rounds', which: sql`state = 'bought'`, text: 'purchases are not burned' },
];

/**
 * Describes work that cannot be completed without this database: launches in progress, signed movements, plans
 * promised or half done. Null without any.
 */
export async function openWork(db: Db): Promise<string | null> {
  const parts: string[] = [];
  for (const rows of OPEN) {
    const count = await countOf(db, rows);
    if (count > 0) parts.push(`${count} ${rows.text}`);
  }
  return parts.length === 0 ? null : parts.join(', ');
}

/** 0 without the table. */
async function countOf(db: Db, { table, which }: OpenRows): Promise<number> {
  const { rows } = await sql<{ isThere: boolean }>`select to_regclass(${table}) is not null as is_there`.execute(db);
  if (!rows[0]?.isThere) return 0;
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${which}`.execute(db);
  return counted.rows[0]?.count ?? 0;
}
