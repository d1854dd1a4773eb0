import { type Insertable, type Selectable, sql } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import { RefusedError } from '../errors.ts';
import type { LaneTable } from '../schema/money.ts';

export type LaneRow = Selectable<LaneTable>;

export type NewLane = Pick<Insertable<LaneTable>, 'lane' | 'mint' | 'account' | 'authority' | 'seedId'>;

export function all(db: Db): Promise<LaneRow[]> {
  return db.selectFrom('lanes').selectAll().orderBy('lane').execute();
}

/** @throws without such a lane */
export async function one(db: Db, lane: number): Promise<LaneRow> {
  return orMissing(lane, await db.selectFrom('lanes').selectAll().where('lane', '=', lane).executeTakeFirst());
}

function orMissing(lane: number, row: LaneRow | undefined): LaneRow {
  if (!row) throw new Error(`lane ${lane} is not in the database; "ops lanes make" makes the lanes`);
  return row;
}

/**
 * Records lanes for the wallets and the seed given, in place of rows for others. Returns how many rows changed.
 *
 * @throws RefusedError where a row that would change has a step, so money may have moved by it
 */
export function write(db: Db, lanes: readonly NewLane[]): Promise<number> {
  return transaction(db, async (tx) => {
    const indexes = lanes.map(({ lane }) => lane);
    const before = await tx.selectFrom('lanes').selectAll().where('lane', 'in', indexes).forUpdate().execute();
    const wrong = before.filter((row) => !lanes.some((lane) => isSame(row, lane))).map(({ lane }) => lane);
    if (wrong.length > 0) await removeUnused(tx, wrong);
    return addMissing(tx, lanes);
  });
}

/** Returns how many are new; a lane that has a row keeps it. */
export async function addMissing(db: Db, lanes: readonly NewLane[]): Promise<number> {
  const added = await db
    .insertInto('lanes')
    .values([...lanes])
    .onConflict((conflict) => conflict.doNothing())
    .returning('lane')
    .execute();
  return added.length;
}

function isSame(row: LaneRow, { lane, mint, authority, seedId }: NewLane): boolean {
  return row.lane === lane && row.mint === mint && row.authority === authority && row.seedId === seedId;
}

async function removeUnused(tx: Db, lanes: readonly number[]): Promise<void> {
  const used = await tx.selectFrom('laneSteps').select('lane').where('lane', 'in', lanes).executeTakeFirst();
  if (used) throw new RefusedError(`lane ${used.lane} has a step, so its wallet and seed stay; nothing was changed`);
  await tx.deleteFrom('lanes').where('lane', 'in', lanes).execute();
}

/** @throws without such a lane */
export async function lock(tx: Db, lane: number): Promise<LaneRow> {
  const row = tx.selectFrom('lanes').selectAll().where('lane', '=', lane).forUpdate();
  return orMissing(lane, await row.executeTakeFirst());
}

export interface DoneStep {
  readonly lane: number;
  readonly number: number;
  readonly from: bigint;
  readonly to: bigint;
  readonly digest: Uint8Array;
  /** Of its transaction. */
  readonly signature: string;
  readonly slot: bigint;
}

/**
 * Advances lanes. Each must start at the lane's current value; steps of a lane in order, also without a known purpose.
 * Rival steps become void, other transactions with the number dead. Returns the steps that moved a lane, without those
 * already recorded.
 */
export function advance(db: Db, steps: readonly DoneStep[]): Promise<DoneStep[]> {
  return transaction(db, async (tx) => {
    const moved: DoneStep[] = [];
    for (const wave of wavesOf(steps)) moved.push(...(await advanceOnce(tx, wave)));
    return moved;
  });
}

function wavesOf(steps: readonly DoneStep[]): DoneStep[][] {
  const waves: DoneStep[][] = [];
  for (const step of steps.toSorted((a, b) => a.number - b.number)) {
    const free = waves.find((wave) => wave.every(({ lane, number }) => lane !== step.lane && number <= step.number));
    const wave = free ?? waves[waves.push([]) - 1]!;
    wave.push(step);
  }
  return waves;
}

async function advanceOnce(tx: Db, steps: readonly DoneStep[]): Promise<DoneStep[]> {
  const values = sql.join(steps.map(rowOf));
  const { rows } = await sql<{ lane: number }>`
    update lanes as row set number = step.number, value = step.to_value, slot = greatest(row.slot, step.slot), moved_at = now()
    from (values ${values}) as step (lane, number, from_value, to_value, digest, signature, slot)
    where row.lane = step.lane and row.value = step.from_value
    returning row.lane`.execute(tx);
  const moved = steps.filter(({ lane }) => rows.some((row) => row.lane === lane));
  if (moved.length > 0) await settle(tx, moved);
  return moved;
}

async function settle(tx: Db, steps: readonly DoneStep[]): Promise<void> {
  const values = sql.join(steps.map(rowOf));
  await sql`
    insert into lane_steps (lane, number, from_value, to_value, digest, state, signature, slot, settled_at)
    select lane, number, from_value, to_value, digest, 'done', signature, slot, now()
    from (values ${values}) as step (lane, number, from_value, to_value, digest, signature, slot)
    on conflict (lane, number, to_value) do update
    set state = 'done', signature = excluded.signature, slot = excluded.slot, settled_at = now()`.execute(tx);
  await sql`
    with step as (select * from (values ${values}) as step (lane, number, from_value, to_value, digest, signature, slot)),
    void as (
      update lane_steps as rival set state = 'void', settled_at = now() from step
      where rival.lane = step.lane and rival.number = step.number and rival.to_value <> step.to_value and rival.state = 'open'
    )
    update chain_transactions as row
    set status = case when row.signature = step.signature then 'finalized' else 'dead' end,
      slot = case when row.signature = step.signature then step.slot else row.slot end,
      error = case when row.signature = step.signature then null else row.error end,
      landed_at = case when row.signature = step.signature then coalesce(row.landed_at, now()) else row.landed_at end,
      settled_at = now(), updated_at = now()
    from step
    where row.lane = step.lane and row.step_number = step.number
      and (row.signature = step.signature or row.status in ('signed', 'broadcasting'))`.execute(tx);
}

function rowOf({ lane, number, from, to, digest, signature, slot }: DoneStep) {
  return sql`(${lane}::integer, ${number}::integer, ${from}::numeric, ${to}::numeric, ${Buffer.from(digest)}::bytea, ${signature}::text, ${slot}::bigint)`;
}

/** Records the finalized slot at which a lane was ahead of the ledger. */
export async function noteLearned(db: Db, lane: number, slot: bigint): Promise<void> {
  await db.updateTable('lanes').set({ learnedSlot: slot }).where('lane', '=', lane).execute();
}

/** The newest such slot, or null. */
export async function lastLearnedSlot(db: Db): Promise<bigint | null> {
  const { last } = await db
    .selectFrom('lanes')
    .select(({ fn }) => fn.max<bigint | null>('learnedSlot').as('last'))
    .executeTakeFirstOrThrow();
  return last;
}
