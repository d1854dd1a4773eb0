/** Purchases. At most one of a token and kind is open. */

import { type Insertable, type Selectable, sql } from 'kysely';
import { buybackId, type BuybackKind, type BuybackState } from '../../domain/buyback/buyback.ts';
import type { Db } from '../connect.ts';
import type { BuybackRoundTable } from '../schema/buyback.ts';

/** One purchase with revenue, from its plan to its burn. */
export type BuybackRound = Selectable<BuybackRoundTable>;

/** A purchase as it is planned. */
export type NewBuyback = Required<
  Pick<
    Insertable<BuybackRoundTable>,
    'kind' | 'mint' | 'quoteMint' | 'mostRaw' | 'quoteUsd' | 'priceSource' | 'pricedAt'
  >
>;

/** What a final swap did, raw units. */
export interface BuybackSwap {
  readonly spentRaw: bigint;
  readonly boughtRaw: bigint;
  readonly signature: string;
  readonly slot: bigint;
}

/** A purchase that only the chain knows. */
export type LostBuyback = Pick<NewBuyback, 'kind' | 'mint' | 'quoteMint'> & { readonly number: number };

/** Purchases that have not come to their end. */
export interface OpenBuybacks {
  readonly planned: number;
  readonly bought: number;
  /** Those of them whose last try failed. */
  readonly failing: number;
}

/** Open purchases, oldest first. */
export function open(db: Db): Promise<BuybackRound[]> {
  return openOnes(db).execute();
}

/** The same; inside a transaction nobody signs or settles one before it commits. */
export function lockOpen(db: Db): Promise<BuybackRound[]> {
  return openOnes(db).forUpdate().execute();
}

/** Only one plan is made at a time, so that budgets add up: call it inside a transaction, before they are read. */
export async function lockBuybackPlans(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('buyback', 0))`.execute(tx);
}

/** Plans the next purchase of a token. Throws where one is open. */
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

/** Number of a token's newest purchase of a kind; 0 before the first. */
export async function lastNumber(db: Db, kind: BuybackKind, mint: string): Promise<number> {
  const rounds = db.selectFrom('buybackRounds').where('kind', '=', kind).where('mint', '=', mint);
  const { last } = await rounds
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Books a purchase that the chain has and the database had forgotten. False where another one of its token is open. */
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

/** Gives a planned purchase of which nothing is signed a new budget and price. */
export async function replan(db: Db, id: string, { quoteMint, mostRaw, ...price }: NewBuyback): Promise<void> {
  const { quoteUsd, priceSource, pricedAt } = price;
  await db
    .updateTable('buybackRounds')
    .set({ quoteMint, mostRaw, quoteUsd, priceSource, pricedAt })
    .where('id', '=', id)
    .where('state', '=', 'planned')
    .execute();
}

/** Takes back a planned purchase of which nothing is signed: its number is free again. */
export async function cancel(db: Db, id: string): Promise<void> {
  await db.deleteFrom('buybackRounds').where('id', '=', id).where('state', '=', 'planned').execute();
}

/** The purchase with this id, or null. */
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

/** Inside a transaction: true while a purchase is planned with this budget, and keeps it so until the transaction's end. */
export async function lockPlanned(db: Db, id: string, mostRaw: bigint): Promise<boolean> {
  const planned = db.selectFrom('buybackRounds').select('id').where('id', '=', id).where('state', '=', 'planned');
  return (await planned.where('mostRaw', '=', mostRaw).forUpdate().executeTakeFirst()) !== undefined;
}

/** Keeps the average price that a swap is judged by. */
export async function noteAverage(db: Db, id: string, averagePrice: string): Promise<void> {
  await db
    .updateTable('buybackRounds')
    .set({ averagePrice })
    .where('id', '=', id)
    .where('state', '=', 'planned')
    .execute();
}

/** Books a planned purchase's final swap. False when that was done already. */
export function settleSwap(db: Db, id: string, swap: BuybackSwap): Promise<boolean> {
  return advance(db, id, 'planned', { ...swap, state: 'bought', problem: null });
}

/** Ends a purchase whose tokens are burned. False when that was done already. */
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

/** Counts a try. */
export async function noteTry(db: Db, id: string): Promise<void> {
  await db
    .updateTable('buybackRounds')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Notes why a try did not get to the end. */
export async function noteProblem(db: Db, id: string, problem: string): Promise<void> {
  await db
    .updateTable('buybackRounds')
    .set({ problem })
    .where('id', '=', id)
    .where(sql<boolean>`state <> 'done'`)
    .execute();
}

/** The newest purchases, newest first. */
export function newest(db: Db, limit: number): Promise<BuybackRound[]> {
  const rounds = db.selectFrom('buybackRounds').selectAll();
  return rounds.orderBy('plannedAt', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** How many purchases are open, by state, and how many of them have a problem. */
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
