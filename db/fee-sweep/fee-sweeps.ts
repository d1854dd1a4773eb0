/** At most one per token is open. */

import { type Insertable, type Selectable, sql } from 'kysely';
import {
  DEPOSIT_TAX_SWEEP,
  type FeeSweepKey,
  type FeeSweepState,
  feeBurnPurpose,
  feeSweepPurpose,
} from '../../domain/fee-sweep/fee-sweep.ts';
import * as auditLog from '../platform/audit-log.ts';
import { type Db, transaction } from '../connect.ts';
import { type DueLock, takeDueLock, type Unsigned } from '../money/due-lock.ts';
import { positionOf, type SweptPosition } from './fee-positions.ts';
import type { PlannedPrice } from '../prices/prices.ts';
import type { FeeSweepTable } from '../schema/fee-sweep.ts';
import type { Decision } from '../platform/switches.ts';
import { inState } from '../../domain/in-state.ts';

export type FeeSweep = Selectable<FeeSweepTable>;

export interface PositionSweep extends FeeSweep {
  readonly position: SweptPosition;
}

export type NewFeeSweep = Required<
  Pick<
    Insertable<FeeSweepTable>,
    | 'mint'
    | 'feeKeyMint'
    | 'claimableBaseRaw'
    | 'claimableQuoteRaw'
    | 'quoteUsd'
    | 'priceSource'
    | 'pricedAt'
    | 'baseUsd'
    | 'buybackBps'
    | 'flywheelBps'
  >
>;

export type SweepPrices = PlannedPrice & Pick<FeeSweep, 'baseUsd'>;

/** Tax withheld when a reward launch's liquidity was deposited. */
export interface DepositTax {
  /** False while it may be in the pool's vault or at the mint. */
  readonly isBurned: boolean;
  /** Trading tax withdrawn with it, raw; with the rewards authority, for the holders. */
  readonly excessRaw: bigint;
}

export interface OpenSweeps {
  readonly planned: number;
  readonly harvested: number;
  readonly failing: number;
}

/** The pool's hash at the last check. */
export async function noteLook(db: Db, pool: string, seen: string | null): Promise<void> {
  await db.updateTable('poolCursors').set({ feesSeen: seen }).where('pool', '=', pool).execute();
}

/** False if one is open. */
export async function plan(db: Db, sweep: NewFeeSweep): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('feeSweeps')
    .values({
      ...sweep,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from fee_sweeps where mint = ${sweep.mint})`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Plans the burn of the deposit's tax, once per launch. */
export async function planDepositTax(
  db: Db,
  mint: string,
  price: SweepPrices & Pick<NewFeeSweep, 'buybackBps' | 'flywheelBps'>,
): Promise<void> {
  await db
    .insertInto('feeSweeps')
    .values({ mint, number: DEPOSIT_TAX_SWEEP, ...price })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Time of the next try: after 30 minutes, 1, 2, 4 … hours, at most a day. Longer than an attempt, short enough for the
 * next round.
 */
const NEXT_TRY = sql<Date>`now() + least(interval '1 day', interval '30 minutes' * power(2, least(tries, 20)))`;

/** Takes due sweeps, longest due first; postpones each by its backoff. */
export async function takeDue(db: Db, limit = 100): Promise<FeeSweepKey[]> {
  return (
    db
      .with('due', (cte) =>
        cte
          .selectFrom('feeSweeps')
          .select(['mint', 'number'])
          .where(sql<boolean>`state <> 'done'`)
          .where('dueAt', '<=', sql<Date>`now()`)
          .orderBy('dueAt')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .updateTable('feeSweeps')
      .from('due')
      .set((eb) => ({ tries: eb('tries', '+', 1), dueAt: NEXT_TRY }))
      .whereRef('feeSweeps.mint', '=', 'due.mint')
      .whereRef('feeSweeps.number', '=', 'due.number')
      // For the index of open sweeps.
      .where(sql<boolean>`fee_sweeps.state <> 'done'`)
      .returning(['feeSweeps.mint', 'feeSweeps.number'])
      .execute()
  );
}

export async function byKey(db: Db, { mint, number }: FeeSweepKey): Promise<PositionSweep | null> {
  const [sweep, position] = await Promise.all([sweepOf(db, { mint, number }), positionOf(db, mint)]);
  if (!sweep) return null;
  if (!position) throw new Error(`token ${mint} has a fee sweep, but no position of the platform`);
  return { ...sweep, position };
}

function sweepOf(db: Db, { mint, number }: FeeSweepKey): Promise<FeeSweep | undefined> {
  const sweeps = db.selectFrom('feeSweeps').selectAll().where('mint', '=', mint).where('number', '=', number);
  return sweeps.executeTakeFirst();
}

const SETTLED = {
  planned: {},
  harvested: {},
  done: { settledAt: sql<Date>`now()` },
} as const satisfies Record<FeeSweepState, object>;

/** `done` is final. False if it was in another state. `excessRaw`: see DepositTax. */
export async function advance(
  db: Db,
  { mint, number }: FeeSweepKey,
  from: FeeSweepState,
  to: FeeSweepState,
  excessRaw?: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('feeSweeps')
    .set({ state: to, problem: null, ...SETTLED[to] })
    .$if(excessRaw !== undefined, (query) => query.set({ excessRaw: excessRaw! }))
    .where('mint', '=', mint)
    .where('number', '=', number)
    .where('state', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function depositTax(db: Db, mint: string): Promise<DepositTax> {
  const { state, excessRaw } = (await sweepOf(db, { mint, number: DEPOSIT_TAX_SWEEP })) ?? {};
  return { isBurned: state === 'done', excessRaw: excessRaw ?? 0n };
}

/** Sets the prices of a sweep that is about to be signed. */
export async function reprice(db: Db, { mint, number }: FeeSweepKey, prices: SweepPrices): Promise<void> {
  const { quoteUsd, priceSource, pricedAt, baseUsd } = prices;
  await db
    .updateTable('feeSweeps')
    .set({ quoteUsd, priceSource, pricedAt, baseUsd })
    .where('mint', '=', mint)
    .where('number', '=', number)
    .where('state', '=', 'planned')
    .execute();
}

export type SweepIn<State extends FeeSweepState> = FeeSweep & { readonly state: State };

/** Locks a sweep whose harvest, or burn of the deposit tax, is due. Null if no longer planned. */
export function lockPlanned(tx: Db, key: FeeSweepKey): Promise<DueLock<SweepIn<'planned'>> | null> {
  const purposes = () => [feeSweepPurpose(key)];
  return takeDueLock(tx, purposes, async () => inState(await lockOne(tx, key), 'planned'));
}

/** Null if nothing is left to burn. */
export function lockHarvested(tx: Db, key: FeeSweepKey): Promise<DueLock<SweepIn<'harvested'>> | null> {
  const purposes = () => [feeBurnPurpose(key)];
  return takeDueLock(tx, purposes, async () => inState(await lockOne(tx, key), 'harvested'));
}

function lockOne(tx: Db, { mint, number }: FeeSweepKey): Promise<FeeSweep | undefined> {
  const rows = tx.selectFrom('feeSweeps').selectAll().where('mint', '=', mint).where('number', '=', number);
  return rows.forUpdate().executeTakeFirst();
}

/** Frees its number and makes its fees due for a check. */
export async function cancel({ tx, row: { mint, number } }: Unsigned<SweepIn<'planned'>>): Promise<void> {
  await tx.deleteFrom('feeSweeps').where('mint', '=', mint).where('number', '=', number).execute();
  await tx.updateTable('poolCursors').set({ feesSeen: null }).where('mint', '=', mint).execute();
}

/** `excessRaw`: see DepositTax. */
export async function endUnburned(
  { tx, row }: Unsigned<SweepIn<'planned' | 'harvested'>>,
  excessRaw?: bigint,
): Promise<void> {
  await advance(tx, row, row.state, 'done', excessRaw);
}

export async function noteProblem(db: Db, { mint, number }: FeeSweepKey, problem: string): Promise<void> {
  await db
    .updateTable('feeSweeps')
    .set({ problem })
    .where('mint', '=', mint)
    .where('number', '=', number)
    .where(sql<boolean>`state <> 'done'`)
    .execute();
}

/** Lists open sweeps of one token or all, most attempts first; `failing`: only those with attempts. */
export function open(
  db: Db,
  { mint, failing }: { readonly mint?: string | undefined; readonly failing?: boolean | undefined },
  limit: number,
): Promise<FeeSweep[]> {
  return db
    .selectFrom('feeSweeps')
    .selectAll()
    .where(sql<boolean>`state <> 'done'`)
    .$if(mint !== undefined, (query) => query.where('mint', '=', mint!))
    .$if(failing === true, (query) => query.where('problem', 'is not', null))
    .orderBy('tries', 'desc')
    .orderBy('plannedAt')
    .orderBy('mint')
    .limit(limit)
    .execute();
}

/** Makes open sweeps of one token or all due now; returns how many. */
export function makeDue(db: Db, mint: string | undefined, { actor, note }: Decision): Promise<number> {
  return transaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('feeSweeps')
      .set({ dueAt: sql<Date>`now()` })
      .where(sql<boolean>`state <> 'done'`)
      .$if(mint !== undefined, (query) => query.where('mint', '=', mint!))
      .executeTakeFirst();
    const subject = mint === undefined ? 'fees' : `token/${mint}`;
    if (numUpdatedRows > 0n) await auditLog.append(tx, { actor, action: 'fees.retry', subject, note });
    return Number(numUpdatedRows);
  });
}

export async function countOpen(db: Db): Promise<OpenSweeps> {
  const { planned, harvested, failing } = await db
    .selectFrom('feeSweeps')
    .where(sql<boolean>`state <> 'done'`)
    .select((eb) => [
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'planned').as('planned'),
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'harvested').as('harvested'),
      eb.fn.countAll<bigint>().filterWhere('problem', 'is not', null).as('failing'),
    ])
    .executeTakeFirstOrThrow();
  return { planned: Number(planned), harvested: Number(harvested), failing: Number(failing) };
}
