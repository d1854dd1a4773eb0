/** At most one per token and kind is open. */

import { type Insertable, type Selectable, sql } from 'kysely';
import {
  buybackBurnPurpose,
  buybackId,
  type BuybackKind,
  type BuybackState,
  buybackSwapPurpose,
} from '../../domain/buyback/buyback.ts';
import type { Db } from '../connect.ts';
import { type DueLock, takeDueLock, type Unsigned } from '../money/due-lock.ts';
import type { BuybackRoundTable } from '../schema/buyback.ts';
import { inState } from '../../domain/in-state.ts';

export type BuybackRound = Selectable<BuybackRoundTable>;

export type NewBuyback = Required<
  Pick<
    Insertable<BuybackRoundTable>,
    'kind' | 'mint' | 'quoteMint' | 'mostRaw' | 'quoteUsd' | 'priceSource' | 'pricedAt'
  >
>;

export interface BuybackSwap {
  readonly spentRaw: bigint;
  readonly boughtRaw: bigint;
  readonly signature: string;
  readonly slot: bigint;
}

export type LostBuyback = Pick<NewBuyback, 'kind' | 'mint' | 'quoteMint'> & { readonly number: number };

export interface OpenBuybacks {
  readonly planned: number;
  readonly bought: number;
  /** Last attempt failed. */
  readonly failing: number;
}

/** Oldest first. */
export function open(db: Db): Promise<BuybackRound[]> {
  return openOnes(db).execute();
}

/** Lists open purchases with row locks: no other transaction signs or settles these meanwhile. */
export function lockOpen(db: Db): Promise<BuybackRound[]> {
  return openOnes(db).forUpdate().execute();
}

/** Locks planning in a transaction, before reading budgets, so that they add up. */
export async function lockBuybackPlans(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('buyback', 0))`.execute(tx);
}

/** @throws when a purchase of the token is open */
export async function plan(db: Db, purchase: NewBuyback): Promise<string> {
  const { kind, mint } = purchase;
  const number = 1 + (await lastNumber(db, kind, mint));
  const id = buybackId(kind, mint, number);
  await db
    .insertInto('buybackRounds')
    .values({ ...purchase, id, number })
    .execute();
  return id;
}

/** 0 before the first purchase. */
export async function lastNumber(db: Db, kind: BuybackKind, mint: string): Promise<number> {
  const rounds = db.selectFrom('buybackRounds').where('kind', '=', kind).where('mint', '=', mint);
  const { last } = await rounds
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** False if another of its token is open. */
export async function adopt(db: Db, lost: LostBuyback, swap: BuybackSwap): Promise<boolean> {
  const { kind, mint, number } = lost;
  const mostRaw = swap.spentRaw > 0n ? swap.spentRaw : 1n;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('buybackRounds')
    .values({ ...lost, ...swap, id: buybackId(kind, mint, number), mostRaw, state: 'bought' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Changes a planned, unsigned purchase. */
export async function replan({ tx, row }: Unsigned<PlannedBuyback>, purchase: NewBuyback): Promise<void> {
  const { quoteMint, mostRaw, quoteUsd, priceSource, pricedAt } = purchase;
  await tx
    .updateTable('buybackRounds')
    .set({ quoteMint, mostRaw, quoteUsd, priceSource, pricedAt })
    .where('id', '=', row.id)
    .execute();
}

/** Deletes a planned, unsigned purchase, which frees its number. */
export async function cancel({ tx, row }: Unsigned<PlannedBuyback>): Promise<void> {
  await tx.deleteFrom('buybackRounds').where('id', '=', row.id).execute();
}

export async function finishUnburned({ tx, row }: Unsigned<BoughtBuyback>): Promise<void> {
  await finish(tx, row.id);
}

export async function byId(db: Db, id: string): Promise<BuybackRound | null> {
  return (await db.selectFrom('buybackRounds').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

function openOnes(db: Db) {
  const rounds = db
    .selectFrom('buybackRounds')
    .selectAll()
    .where(sql<boolean>`state <> 'done'`);
  return rounds.orderBy('plannedAt').orderBy('id');
}

export type PlannedBuyback = BuybackRound & { readonly state: 'planned' };

export type BoughtBuyback = BuybackRound & { readonly state: 'bought' };

/** Null if no longer planned. */
export function lockPlanned(tx: Db, id: string): Promise<DueLock<PlannedBuyback> | null> {
  const purposes = () => [buybackSwapPurpose(id)];
  return takeDueLock(tx, purposes, async () => inState(await lockOne(tx, id), 'planned'));
}

/** Null if there is nothing to burn, or it is done. */
export function lockBought(tx: Db, id: string): Promise<DueLock<BoughtBuyback> | null> {
  const purposes = () => [buybackBurnPurpose(id, 1)];
  return takeDueLock(tx, purposes, async () => inState(await lockOne(tx, id), 'bought'));
}

function lockOne(tx: Db, id: string): Promise<BuybackRound | undefined> {
  return tx.selectFrom('buybackRounds').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The swap is checked against it. */
export async function noteAverage(db: Db, id: string, averagePrice: string): Promise<void> {
  await db
    .updateTable('buybackRounds')
    .set({ averagePrice })
    .where('id', '=', id)
    .where('state', '=', 'planned')
    .execute();
}

/** False if already recorded. */
export function settleSwap(db: Db, id: string, swap: BuybackSwap): Promise<boolean> {
  return advance(db, id, 'planned', { ...swap, state: 'bought', problem: null });
}

/** False if already ended. */
export function finish(db: Db, id: string): Promise<boolean> {
  return advance(db, id, 'bought', { state: 'done', problem: null, settledAt: sql<Date>`now()` });
}

async function advance(db: Db, id: string, from: BuybackState, change: object): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('buybackRounds')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function noteTry(db: Db, id: string): Promise<void> {
  await db
    .updateTable('buybackRounds')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

export async function noteProblem(db: Db, id: string, problem: string): Promise<void> {
  await db
    .updateTable('buybackRounds')
    .set({ problem })
    .where('id', '=', id)
    .where(sql<boolean>`state <> 'done'`)
    .execute();
}

/** Newest first. */
export function newest(db: Db, limit: number): Promise<BuybackRound[]> {
  const rounds = db.selectFrom('buybackRounds').selectAll();
  return rounds.orderBy('plannedAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

export async function countOpen(db: Db): Promise<OpenBuybacks> {
  const { planned, bought, failing } = await db
    .selectFrom('buybackRounds')
    .where(sql<boolean>`state <> 'done'`)
    .select((eb) => [
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'planned').as('planned'),
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'bought').as('bought'),
      eb.fn.countAll<bigint>().filterWhere('problem', 'is not', null).as('failing'),
    ])
    .executeTakeFirstOrThrow();
  return { planned: Number(planned), bought: Number(bought), failing: Number(failing) };
}
