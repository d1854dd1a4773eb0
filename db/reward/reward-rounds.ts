/** Reward rounds. At most one of a token is open. */

import { type Insertable, type Selectable, sql } from 'kysely';
import type { RewardRoundState } from '../../domain/reward/state.ts';
import { type Db, transaction } from '../connect.ts';
import type { RewardRoundTable, RewardTransactionTable } from '../schema/reward.ts';

/** One round of one token, from its plan to its end. */
export type RewardRound = Selectable<RewardRoundTable>;

/** A transaction as a plan names it. */
export type PlannedTransaction = Pick<Insertable<RewardTransactionTable>, 'n' | 'kind' | 'sources'>;

/** A round as it is planned: with its observations, and no transaction yet. */
export interface NewRewardRound {
  readonly id: string;
  readonly mint: string;
  /** The id follows from token and number. */
  readonly number: number;
  readonly openedSlot: bigint;
}

/** The transactions of a round that collect and sell. */
export interface Collection {
  readonly sellAt: Date;
  readonly transactions: readonly PlannedTransaction[];
}

/** What the holdings of a round were valued by. */
export interface RewardValuation {
  readonly averagePrice: string;
  readonly quoteUsd: string;
  readonly solUsd: string;
  readonly priceSource: string;
  readonly pricedAt: Date;
}

/** Rounds without an end, oldest first. */
export function open(db: Db): Promise<RewardRound[]> {
  return db.selectFrom('rewardRounds').selectAll().where('state', '<>', 'done').orderBy('plannedAt').execute();
}

/** Opens a round. False when one of this token is open already, or has this number. */
export async function plan(db: Db, { id, mint, number, openedSlot }: NewRewardRound): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('rewardRounds')
    .values({ id, mint, number, openedSlot, state: 'observing' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Writes what a round that has made its observations collects and sells, and that it does so now. A plan that is there stays. */
export function planCollection(db: Db, id: string, { sellAt, transactions }: Collection): Promise<void> {
  return transaction(db, async (tx) => {
    const { state, mint } = await lock(tx, id);
    if (state !== 'observing') return;
    const rows = transactions.map((row) => ({ ...row, roundId: id, mint }));
    if (rows.length > 0) await tx.insertInto('rewardTransactions').values(rows).execute();
    await tx.updateTable('rewardRounds').set({ sellAt, state: 'collecting' }).where('id', '=', id).execute();
  });
}

/** The round with this id, or null. */
export async function byId(db: Db, id: string): Promise<RewardRound | null> {
  return (await db.selectFrom('rewardRounds').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The same, locked until the database transaction ends. */
export async function lock(db: Db, id: string): Promise<RewardRound> {
  return db.selectFrom('rewardRounds').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

/** The newest rounds, of one token or of all. */
export function newest(db: Db, limit: number, mint?: string): Promise<RewardRound[]> {
  return db
    .selectFrom('rewardRounds')
    .selectAll()
    .$if(mint !== undefined, (query) => query.where('mint', '=', mint!))
    .orderBy('plannedAt', 'desc')
    .limit(limit)
    .execute();
}

/** Number of a token's newest round; 0 before the first. */
export async function lastNumber(db: Db, mint: string): Promise<number> {
  const rounds = db.selectFrom('rewardRounds').where('mint', '=', mint);
  const { last } = await rounds
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Moves a round on from a state; false where it is in another. */
export async function advance(db: Db, id: string, from: RewardRoundState, to: Exclude<RewardRoundState, 'done'>) {
  const { numUpdatedRows } = await db
    .updateTable('rewardRounds')
    .set({ state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Keeps the average price that a sale was judged by, and why nothing, or not all, was sold. */
export async function noteSale(db: Db, id: string, saleAverage: string | null, saleNote: string | null): Promise<void> {
  await db.updateTable('rewardRounds').set({ saleAverage, saleNote }).where('id', '=', id).execute();
}

/** Ends a round and lets go of what was observed. `note` says what is out of the ordinary. */
export function end(db: Db, id: string, note: string | null): Promise<void> {
  return transaction(db, async (tx) => {
    const ended = { state: 'done', endedAt: sql<Date>`now()`, problem: null, problemAt: null, note } as const;
    await tx.updateTable('rewardRounds').set(ended).where('id', '=', id).where('state', '<>', 'done').execute();
    await tx.updateTable('rewardSnapshots').set({ balances: null, withheld: null }).where('roundId', '=', id).execute();
  });
}

/** Notes why a try did not get to the end. */
export async function noteProblem(db: Db, id: string, problem: string): Promise<void> {
  await db
    .updateTable('rewardRounds')
    .set({ problem, problemAt: sql`now()`, tries: sql`tries + 1` })
    .where('id', '=', id)
    .where('state', '<>', 'done')
    .execute();
}

/** Takes back what was noted of a try: another one got on. */
export async function clearProblem(db: Db, id: string): Promise<void> {
  const none = { problem: null, problemAt: null };
  await db.updateTable('rewardRounds').set(none).where('id', '=', id).where('problem', 'is not', null).execute();
}

/** How many rounds are open, and since when the oldest is. */
export async function backlog(db: Db): Promise<{ readonly open: number; readonly oldest: Date | null }> {
  const { open, oldest } = await db
    .selectFrom('rewardRounds')
    .select((eb) => [eb.fn.countAll<bigint>().as('open'), eb.fn.min('plannedAt').as('oldest')])
    .where('state', '<>', 'done')
    .executeTakeFirstOrThrow();
  return { open: Number(open), oldest };
}
