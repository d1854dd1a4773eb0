/**
 * Of final records, by an operator's decision and the worker's proof; triggers refuse such changes outside of a
 * correcting transaction.
 */

import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { type Db, transaction } from '../connect.ts';
import type { Burn } from '../burns.ts';
import type { Purpose } from '../../domain/purpose.ts';
import type { ChainTransaction } from '../schema/money.ts';
import type { LaneRow } from './lanes.ts';

/** Runs a change that may alter final records. */
export function correcting<Result>(db: Db, change: (tx: Db) => Promise<Result>): Promise<Result> {
  return transaction(db, async (tx) => {
    await sql`select set_config('slipway.correction', 'on', true)`.execute(tx);
    const result = await change(tx);
    await sql`select set_config('slipway.correction', 'off', true)`.execute(tx);
    return result;
  });
}

/** Locks the subject until the transaction ends. */
export async function lockSubject(tx: Db, subject: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`remedy/${subject}`}, 0))`.execute(tx);
}

/** The purpose was signed again: its transaction recorded dead cannot become final beside the new one. */
export class SignedAnewError extends Error {
  constructor(purpose: Purpose) {
    super(`${purpose} was signed again meanwhile; the new transaction is to be buried first`);
    this.name = 'SignedAnewError';
  }
}

/** Index that allows one live transaction per purpose. */
const ONE_LIVE = 'chain_transactions_one_live';

/** @throws SignedAnewError */
export async function reviveLanded(tx: Db, row: ChainTransaction, slot: bigint): Promise<void> {
  try {
    await revive(tx, row.signature, slot);
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === ONE_LIVE) throw new SignedAnewError(row.purpose);
    throw error;
  }
}

async function revive(tx: Db, signature: string, slot: bigint): Promise<void> {
  await tx
    .updateTable('chainTransactions')
    .set({ status: 'finalized', slot, error: null, landedAt: sql`now()`, settledAt: sql`now()`, updatedAt: sql`now()` })
    .where('signature', '=', signature)
    .execute();
}

/** False if it is not recorded as final any more. */
export async function buryFinal(tx: Db, { signature }: ChainTransaction): Promise<boolean> {
  const buried = await tx
    .updateTable('chainTransactions')
    .set({ status: 'dead', slot: null, settledAt: sql`now()`, updatedAt: sql`now()` })
    .where('signature', '=', signature)
    .where('status', '=', 'finalized')
    .returning('signature')
    .execute();
  return buried.length > 0;
}

/**
 * Sets the lane back to a known step. Later `done` steps may happen again: their bytes are resent, or signed again
 * with the same number. Steps without a purpose are deleted. Returns the purposes.
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

/** True if the lane's recorded final steps lead to the value. */
export async function leadsTo(db: Db, lane: number, value: bigint): Promise<boolean> {
  if (value === 0n) return true;
  const steps = db.selectFrom('laneSteps').select('number').where('lane', '=', lane).where('toValue', '=', value);
  return (await steps.where('state', '=', 'done').executeTakeFirst()) !== undefined;
}

/** Removes a burn with its sums, locked in the order that recording uses. */
export async function removeBurn(tx: Db, { id, mint, kind, amountRaw, valueUsd, burnedAt }: Burn): Promise<void> {
  await sql`delete from burns where id = ${id}`.execute(tx);
  const unpriced = valueUsd === null ? 1 : 0;
  await sql`
    update burn_days set value_usd = value_usd - ${valueUsd ?? 0}::numeric, burns = burns - 1,
      unpriced = unpriced - ${unpriced}::integer
    where day = to_char(${burnedAt}::timestamptz at time zone 'UTC', 'YYYY-MM-DD') and kind = ${kind}`.execute(tx);
  await sql`
    update burn_sums set amount_raw = amount_raw - ${amountRaw}::numeric, value_usd = value_usd - ${valueUsd ?? 0}::numeric,
      burns = burns - 1, unpriced = unpriced - ${unpriced}::integer
    where mint = ${mint} and kind = ${kind}`.execute(tx);
}

/** Parks a launch that is recorded as not landed and is on the chain. `signature`: its payment's, if known. */
export async function parkCharged(
  tx: Db,
  quoteId: string,
  { signature, slot, blockedReason }: { signature: string | null; slot: bigint | null; blockedReason: string },
): Promise<void> {
  await sql`
    update launches set state = 'needs_recovery', blocked_reason = ${blockedReason}, reason = null,
      payment_signature = ${signature}, slot = ${slot}, updated_at = now()
    where quote_id = ${quoteId} and state = 'not_landed'`.execute(tx);
  if (signature !== null) {
    await sql`
      insert into launch_signatures (signature, quote_id, kind) values (${signature}, ${quoteId}, 'landed')
      on conflict (signature) do update set kind = 'landed'`.execute(tx);
  }
  await sql`
    insert into launch_state_history (quote_id, state, slot, note)
    values (${quoteId}, 'needs_recovery', ${slot}, ${blockedReason})`.execute(tx);
}
