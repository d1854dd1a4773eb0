import { sql } from 'kysely';
import type { Db } from '../../../../db/connect.ts';
import * as laneChecks from '../../../../db/money/lane-checks.ts';
import { fillLanes, fillLaneSteps } from '../fill-lanes.ts';
import { fillTables } from '../fill-tables.ts';

/** Open rows of each kind of work, however long the history is. */
const OPEN = 20;

const LANES = 128;

export interface History {
  /** Launches; each with its sweep, purchase, reward round, claim and the like. */
  readonly launches: number;
  /** Final movements, most of them in the pots of coins that pay now. */
  readonly movements: number;
}

/** Fills a migrated database with history of this length beside open work that stays the same. */
export async function fillHistory(db: Db, { launches, movements }: History): Promise<void> {
  await fillTables(db, launches, launches / OPEN);
  await makeOld(db);
  await fillLanes(db, LANES);
  await fillLaneSteps(db, { lanes: LANES, from: 1, to: Math.ceil(movements / LANES) });
  await laneChecks.check(db);
  await fillPots(db, Math.ceil(movements / OPEN));
  // One transaction's versions of a sum stay until its end; one booking after the other leaves none.
  await sql`vacuum full buyback_budgets, pot_sums, launch_totals, launch_changes, revenue_days, burn_days`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

/** Submits were written as of now. */
async function makeOld(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update launches set submitted_at = launched_at`.execute(tx);
  });
}

/**
 * Writes booked movements of the coins that have an open round, and their sums at once: in one transaction the trigger would update each sum as
 * often, and every version of it stays until the end.
 */
async function fillPots(db: Db, each: number): Promise<void> {
  await sql`alter table reward_transactions disable trigger reward_transactions_added_sum`.execute(db);
  await sql`
    insert into reward_transactions (round_id, n, mint, kind, state, quote_raw, paid_raw, signature, slot, landed_at)
    select id, n, mint, 'payout', 'done', -1, 1, 'pot-' || id || '-' || n, n, now() - interval '2 days'
    from reward_rounds, generate_series(2, ${each + 1}::integer) as n where state <> 'done'`.execute(db);
  await sql`alter table reward_transactions enable trigger reward_transactions_added_sum`.execute(db);
  await sql`
    update pot_sums set quote_raw = quote_raw - ${each}::integer
    where mint in (select mint from reward_rounds where state <> 'done')`.execute(db);
}
