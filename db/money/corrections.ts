/**
 * Changes of what is otherwise for ever, by an operator's decision and with a proof of the worker's. Each happens in a database
 * transaction that says that it is a correction; the triggers refuse it anywhere else.
 */

import { sql } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import type { Burn } from '../burns.ts';
import type { ChainTransaction } from '../schema/money.ts';
import type { LaneRow } from './lanes.ts';

/** Runs `change` in a database transaction that may change what is final. */
export function correcting<Result>(db: Db, change: (tx: Db) => Promise<Result>): Promise<Result> {
  return transaction(db, async (tx) => {
    await sql`select set_config('slipway.correction', 'on', true)`.execute(tx);
    const result = await change(tx);
    await sql`select set_config('slipway.correction', 'off', true)`.execute(tx);
    return result;
  });
}

/** A transaction that was taken for dead is final. */
export async function reviveLanded(tx: Db, { signature }: ChainTransaction, slot: bigint): Promise<void> {
  await tx
    .updateTable('chainTransactions')
    .set({ status: 'finalized', slot, error: null, landedAt: sql`now()`, settledAt: sql`now()`, updatedAt: sql`now()` })
    .where('signature', '=', signature)
    .execute();
}

/** A transaction that was taken for final is dead. */
export async function buryFinal(tx: Db, { signature }: ChainTransaction): Promise<void> {
  await tx
    .updateTable('chainTransactions')
    .set({ status: 'dead', slot: null, settledAt: sql`now()`, updatedAt: sql`now()` })
    .where('signature', '=', signature)
    .execute();
}

/**
 * Sets a lane back to an earlier value, of which the steps are known. What was `done` beyond it may happen again: its bytes are
 * sent again, or signed anew with the same number. A step that nobody knew the purpose of is forgotten. Answers the purposes.
 */
export async function setLaneBack(tx: Db, { lane }: LaneRow, to: { number: number; value: bigint }): Promise<string[]> {
  const { number, value } = to;
  const { rows } = await sql<{ purpose: string }>`
    select purpose from lane_steps where lane = ${lane} and number > ${number} and state = 'done' and purpose is not null
    order by number`.execute(tx);
  await sql`
    update chain_transactions set status = 'broadcasting', slot = null, error = null, landed_at = null, settled_at = null,
      updated_at = now()
    where lane = ${lane} and step_number > ${number} and status = 'finalized'`.execute(tx);
  await sql`delete from lane_steps where lane = ${lane} and number > ${number} and purpose is null`.execute(tx);
  await sql`
    update lane_steps set state = 'open', signature = null, slot = null, settled_at = null
    where lane = ${lane} and number > ${number} and state = 'done'`.execute(tx);
  await sql`
    update lanes set number = ${number}, value = ${value}::numeric, moved_at = now() where lane = ${lane}`.execute(tx);
  return rows.map(({ purpose }) => purpose);
}

/** Whether a lane's known and final steps lead to a value. */
export async function leadsTo(db: Db, lane: number, value: bigint): Promise<boolean> {
  if (value === 0n) return true;
  const steps = db.selectFrom('laneSteps').select('number').where('lane', '=', lane).where('toValue', '=', value);
  return (await steps.where('state', '=', 'done').executeTakeFirst()) !== undefined;
}

/** Takes a burn out of the books and their sums. */
export async function removeBurn(tx: Db, { id, mint, kind, amountRaw, valueUsd, burnedAt }: Burn): Promise<void> {
  await sql`delete from burns where id = ${id}`.execute(tx);
  const unpriced = valueUsd === null ? 1 : 0;
  await sql`
    update burn_sums set amount_raw = amount_raw - ${amountRaw}::numeric, value_usd = value_usd - ${valueUsd ?? 0}::numeric,
      burns = burns - 1, unpriced = unpriced - ${unpriced}::integer
    where mint = ${mint} and kind = ${kind}`.execute(tx);
  await sql`
    update burn_days set value_usd = value_usd - ${valueUsd ?? 0}::numeric, burns = burns - 1,
      unpriced = unpriced - ${unpriced}::integer
    where day = to_char(${burnedAt}::timestamptz at time zone 'UTC', 'YYYY-MM-DD') and kind = ${kind}`.execute(tx);
}

/** Parks a launch that was said to have come to nothing, although its payment is on the chain. */
export async function parkCharged(
  tx: Db,
  quoteId: string,
  { signature, slot, blockedReason }: { signature: string; slot: bigint; blockedReason: string },
): Promise<void> {
  await sql`
    update launches set state = 'needs_recovery', blocked_reason = ${blockedReason}, reason = null,
      payment_signature = ${signature}, slot = ${slot}, updated_at = now()
    where quote_id = ${quoteId} and state = 'not_landed'`.execute(tx);
  await sql`
    insert into launch_signatures (signature, quote_id, kind) values (${signature}, ${quoteId}, 'landed')
    on conflict (signature) do update set kind = 'landed'`.execute(tx);
  await sql`
    insert into launch_state_history (quote_id, state, slot, note)
    values (${quoteId}, 'needs_recovery', ${slot}, ${blockedReason})`.execute(tx);
}
