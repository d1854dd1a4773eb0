import { type Selectable, sql } from 'kysely';
import type { Purpose } from '../../domain/purpose.ts';
import { type Db, transaction } from '../connect.ts';
import type { DueLock } from './due-lock.ts';
import type { LaneStepTable } from '../schema/money.ts';
import { type LaneRow, lock, one } from './lanes.ts';

export type LaneStep = Selectable<LaneStepTable>;

export interface SettledStep extends LaneStep {
  readonly signature: string;
  readonly slot: bigint;
}

export interface LiveVersion {
  /** base58 */
  readonly signature: string;
  readonly wire: Uint8Array;
  readonly lane: number;
  readonly number: number;
  readonly from: bigint;
  readonly to: bigint;
  readonly digest: Uint8Array;
  readonly lastValidBlockHeight: bigint;
}

export interface Standing {
  readonly lane: LaneRow;
  /** Final, or null. */
  readonly done: SettledStep | null;
  /** Newest that may still land. */
  readonly live: LiveVersion | null;
  /** Without a known purpose: one may be this purpose's own. */
  readonly unnamed: readonly SettledStep[];
}

/**
 * Reads the lane's value before its steps: a step learned in between then has a value that {@link persist} refuses, and
 * no step below the value is missing.
 *
 * @throws without such a lane
 */
export async function standingOf(db: Db, lane: number, purpose: Purpose): Promise<Standing> {
  const row = await one(db, lane);
  const [steps, live] = await Promise.all([stepsOf(db, lane, purpose), liveOf(db, purpose)]);
  const settled = steps.filter(isSettled);
  const done = settled.find((step) => step.purpose !== null) ?? null;
  return { lane: row, done, live: live ?? null, unnamed: settled.filter((step) => step.purpose === null) };
}

function isSettled(step: LaneStep): step is SettledStep {
  return step.signature !== null && step.slot !== null;
}

function stepsOf(db: Db, lane: number, purpose: Purpose): Promise<LaneStep[]> {
  return db
    .selectFrom('laneSteps')
    .selectAll()
    .where('state', '=', 'done')
    .where((eb) => eb.or([eb('purpose', '=', purpose), eb.and([eb('lane', '=', lane), eb('purpose', 'is', null)])]))
    .execute();
}

function liveOf(db: Db, purpose: Purpose): Promise<LiveVersion | undefined> {
  return db
    .selectFrom('chainTransactions as row')
    .innerJoin('laneSteps as step', (join) =>
      join
        .onRef('step.lane', '=', 'row.lane')
        .onRef('step.number', '=', 'row.stepNumber')
        .onRef('step.toValue', '=', 'row.stepTo'),
    )
    .select(['row.signature', 'row.wire', 'row.lastValidBlockHeight', 'step.lane', 'step.number', 'step.digest'])
    .select(['step.fromValue as from', 'step.toValue as to'])
    .where('row.purpose', '=', purpose)
    .where('row.status', '=', 'broadcasting')
    .orderBy('row.attempt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export interface SignedVersion extends LiveVersion {
  readonly purpose: Purpose;
  readonly blockhash: string;
  readonly blockhashSlot: bigint;
}

/**
 * Persists the bytes before they are sent. Writes nothing and returns false when the lane moved on, the purpose is
 * done, or another version is in flight; then they must never be sent. `assertDue` runs first in the transaction; its
 * lock is held until the bytes are committed, so no decision can end the purpose meanwhile.
 */
export function persist(db: Db, version: SignedVersion, assertDue: (tx: Db) => Promise<DueLock>): Promise<boolean> {
  return transaction(db, async (tx) => {
    const { purposes } = await assertDue(tx);
    if (!purposes.includes(version.purpose))
      throw new Error(`the lock of ${purposes.join(', ')} is not that of ${version.purpose}`);
    const lane = await lock(tx, version.lane);
    if (lane.value !== version.from || (await isTaken(tx, version.purpose))) return false;
    await openStep(tx, version);
    await insertVersion(tx, version);
    return true;
  });
}

async function isTaken(tx: Db, purpose: Purpose): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from lane_steps where purpose = ${purpose} and state = 'done')
      or exists (select from chain_transactions where purpose = ${purpose} and lane is not null and status = 'broadcasting') as taken
  `.execute(tx);
  return rows[0]?.taken ?? true;
}

/** The same content signed again is the same step. */
async function openStep(tx: Db, { lane, number, from, to, digest, purpose }: SignedVersion): Promise<void> {
  await tx
    .insertInto('laneSteps')
    .values({ lane, number, fromValue: from, toValue: to, digest, purpose })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function insertVersion(tx: Db, version: SignedVersion): Promise<void> {
  const { purpose, signature, wire, blockhash, blockhashSlot, lastValidBlockHeight, lane, number, to } = version;
  const attempt = sql<number>`(select coalesce(max(attempt), 0) + 1 from chain_transactions where purpose = ${purpose})`;
  await tx
    .insertInto('chainTransactions')
    .values({
      purpose,
      attempt,
      signature,
      wire,
      blockhash,
      blockhashSlot,
      lastValidBlockHeight,
      lane,
      stepNumber: number,
      stepTo: to,
      status: 'broadcasting',
      broadcastAt: sql`now()`,
    })
    .execute();
}

/** Bytes as the chain has them. */
export interface LandedBytes {
  /** First, base58. */
  readonly signature: string;
  readonly wire: Uint8Array;
  readonly blockhash: string;
}

/** Names the purpose of a final step and records its transaction. False if it has a purpose. */
export function name(db: Db, step: SettledStep, purpose: Purpose, landed: LandedBytes): Promise<boolean> {
  const { lane, number, toValue } = step;
  return transaction(db, async (tx) => {
    const named = await tx
      .updateTable('laneSteps')
      .set({ purpose })
      .where('lane', '=', lane)
      .where('number', '=', number)
      .where('toValue', '=', toValue)
      .where('purpose', 'is', null)
      .returning('lane')
      .executeTakeFirst();
    if (named) await recordLanded(tx, { ...step, purpose }, landed);
    return named !== undefined;
  });
}

/** Records a step that another copy of the ledger had signed. */
export async function recordLanded(
  tx: Db,
  step: SettledStep,
  { signature, wire, blockhash }: LandedBytes,
): Promise<void> {
  const { purpose, lane, number, fromValue: from, toValue: to, digest, slot } = step;
  if (purpose === null) return;
  const known = tx.selectFrom('chainTransactions').select('attempt').where('signature', '=', signature);
  if (await known.executeTakeFirst()) return;
  // Final: its validity limits no longer matter.
  const bounds = { blockhashSlot: slot, lastValidBlockHeight: 0n };
  await insertVersion(tx, { purpose, lane, number, from, to, digest, signature, wire, blockhash, ...bounds });
  await tx
    .updateTable('chainTransactions')
    .set({ status: 'finalized', slot, landedAt: sql`now()`, settledAt: sql`now()` })
    .where('signature', '=', signature)
    .execute();
}

/** Lists the final steps among these keys. */
export async function doneAmong(
  db: Db,
  keys: readonly { readonly lane: number; readonly number: number }[],
): Promise<SettledStep[]> {
  if (keys.length === 0) return [];
  const wanted = sql.join(keys.map(({ lane, number }) => sql`(${lane}::integer, ${number}::integer)`));
  const rows = db.selectFrom('laneSteps').selectAll().where('state', '=', 'done');
  return (await rows.where(sql<boolean>`(lane, number) in (${wanted})`).execute()).filter(isSettled);
}

export async function knownAmong(db: Db, lane: number, values: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  if (values.length === 0) return new Set();
  const steps = db.selectFrom('laneSteps').select('toValue').where('lane', '=', lane);
  const rows = await steps.where('toValue', 'in', [...values]).execute();
  return new Set(rows.map(({ toValue }) => toValue));
}

/** Oldest first. */
export async function unnamed(db: Db): Promise<SettledStep[]> {
  const rows = db.selectFrom('laneSteps').selectAll().where('purpose', 'is', null).orderBy('slot');
  return (await rows.execute()).filter(isSettled);
}

export interface FailedVersion {
  readonly signature: string;
  readonly error: string;
  readonly slot: bigint;
}

/** Ends versions that can no longer land, or failed finally; settled ones stay. */
export async function end(
  db: Db,
  { dead, failed }: { readonly dead: readonly string[]; readonly failed: readonly FailedVersion[] },
): Promise<void> {
  const rows = [
    ...dead.map((signature) => sql`(${signature}::text, null::text, null::bigint)`),
    ...failed.map(({ signature, error, slot }) => sql`(${signature}::text, ${error}::text, ${slot}::bigint)`),
  ];
  if (rows.length === 0) return;
  await sql`
    update chain_transactions as row
    set status = case when ended.error is null then 'dead' else 'failed' end, error = ended.error, slot = ended.slot,
      error_finalized = ended.error is not null, settled_at = now(), updated_at = now()
    from (values ${sql.join(rows)}) as ended (signature, error, slot)
    where row.signature = ended.signature and row.status = 'broadcasting'`.execute(db);
}
