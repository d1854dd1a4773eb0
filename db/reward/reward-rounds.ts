/** At most one of a token is open. */

import { type Insertable, type Selectable, sql } from 'kysely';
import type { RewardWindow } from '../../domain/reward/draw.ts';
import type { RewardRoundState } from '../../domain/reward/state.ts';
import type { SpendableUsd } from '../../domain/trading/spendable-price.ts';
import { type Db, transaction } from '../connect.ts';
import type { RewardRoundTable, RewardTransactionTable } from '../schema/reward.ts';

export type RewardRound = Selectable<RewardRoundTable>;

export type PlannedTransaction = Pick<Insertable<RewardTransactionTable>, 'n' | 'kind' | 'sources'>;

export interface NewRewardRound {
  readonly id: string;
  readonly mint: string;
  /** The id follows from token and number. */
  readonly number: number;
  readonly openedSlot: bigint;
  /** Balances are observed in it. */
  readonly window: RewardWindow;
}

export interface Collection {
  readonly sellAt: Date;
  readonly transactions: readonly PlannedTransaction[];
}

export interface RewardValuation {
  readonly averagePrice: string;
  readonly quoteUsd: SpendableUsd;
  readonly solUsd: SpendableUsd;
  readonly priceSource: string;
  readonly pricedAt: Date;
}

/** Oldest first. */
export function open(db: Db): Promise<RewardRound[]> {
  return db.selectFrom('rewardRounds').selectAll().where('state', '<>', 'done').orderBy('plannedAt').execute();
}

/** Quote tokens of coins with an open round that has no plan yet. */
export async function unplannedQuotes(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('rewardRounds')
    .innerJoin('tokens', 'tokens.mint', 'rewardRounds.mint')
    .select('tokens.quoteMint')
    .distinct()
    // For the partial index.
    .where('rewardRounds.state', '<>', 'done')
    .where('rewardRounds.state', 'in', ['observing', 'collecting', 'selling'])
    .execute();
  return rows.map(({ quoteMint }) => quoteMint);
}

/** False with an open round, or one of this number. */
export async function plan(db: Db, { window, ...round }: NewRewardRound): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('rewardRounds')
    .values({ ...round, windowSlot: BigInt(window.slot), windowSlots: window.slots, state: 'observing' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** An existing plan stays. */
export function planCollection(db: Db, id: string, { sellAt, transactions }: Collection): Promise<void> {
  return transaction(db, async (tx) => {
    const { state, mint } = await lock(tx, id);
    if (state !== 'observing') return;
    const rows = transactions.map((row) => ({ ...row, roundId: id, mint }));
    if (rows.length > 0) await tx.insertInto('rewardTransactions').values(rows).execute();
    await tx.updateTable('rewardRounds').set({ sellAt, state: 'collecting' }).where('id', '=', id).execute();
  });
}

export async function byId(db: Db, id: string): Promise<RewardRound | null> {
  return (await db.selectFrom('rewardRounds').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Locks the round until the transaction ends. */
export async function lock(db: Db, id: string): Promise<RewardRound> {
  return db.selectFrom('rewardRounds').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
}

export async function lockOpenOf(tx: Db, mint: string): Promise<void> {
  const open = tx.selectFrom('rewardRounds').select('id').where('mint', '=', mint).where('state', '<>', 'done');
  await open.forUpdate().execute();
}

export function newest(db: Db, limit: number, mint?: string): Promise<RewardRound[]> {
  return db
    .selectFrom('rewardRounds')
    .selectAll()
    .$if(mint !== undefined, (query) => query.where('mint', '=', mint!))
    .orderBy('plannedAt', 'desc')
    .limit(limit)
    .execute();
}

/** 0 before the first round. */
export async function lastNumber(db: Db, mint: string): Promise<number> {
  const rounds = db.selectFrom('rewardRounds').where('mint', '=', mint);
  const { last } = await rounds
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Root that the newest seal of this token on the chain names; null before the first. */
export async function lastSealedRoot(db: Db, mint: string): Promise<string | null> {
  const seals = db
    .selectFrom('rewardRounds')
    .innerJoin('rewardTransactions as seal', 'seal.roundId', 'rewardRounds.id')
    .select('seal.root')
    .where('rewardRounds.mint', '=', mint)
    .where('seal.kind', '=', 'seal')
    .where('seal.root', 'is not', null);
  return (await seals.orderBy('number', 'desc').limit(1).executeTakeFirst())?.root ?? null;
}

/** Note of a round that only the chain showed. */
export const FOUND_NOTE = 'found on the chain';

/** The oldest round of a token that only the chain showed, with a seal and without its plan; null if there is none. */
export async function oldestWithoutPlan(db: Db, mint: string): Promise<RewardRound | null> {
  const found = db.selectFrom('rewardRounds').selectAll('rewardRounds').where('rewardRounds.mint', '=', mint);
  const sealed = found
    .where('rewardRounds.state', '=', 'done')
    .where('note', '=', FOUND_NOTE)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('rewardTransactions as seal')
          .select('seal.n')
          .whereRef('seal.roundId', '=', 'rewardRounds.id')
          .where('seal.kind', '=', 'seal')
          .where('seal.root', 'is not', null),
      ),
    );
  return (await sealed.orderBy('number').limit(1).executeTakeFirst()) ?? null;
}

/**
 * Opens the oldest found round of each token that has no open one, if it is sealed: who was paid is in its plan, which
 * the books lack.
 */
export async function reopenFound(db: Db): Promise<void> {
  await sql`
    update reward_rounds set state = 'selling', ended_at = null, note = null
    where state = 'done' and note = ${sql.lit(FOUND_NOTE)} and id in (
      select distinct on (mint) id from reward_rounds as found
      where found.state = 'done' and found.note = ${sql.lit(FOUND_NOTE)}
        and exists (select from reward_transactions as seal where seal.round_id = found.id and seal.root is not null)
        and not exists (select from reward_rounds as open where open.mint = found.mint and open.state <> 'done')
      order by mint, number
    )`.execute(db);
}

export interface UnplannedRound {
  readonly id: string;
  readonly mint: string;
  readonly number: number;
  /** Hex, as the chain has it. */
  readonly root: string;
}

/** Rounds that the chain has a seal of, and the database no payout: the open ones, and those that wait for them. */
export async function sealedWithoutPlan(db: Db): Promise<UnplannedRound[]> {
  const { rows } = await sql<UnplannedRound>`
    with waiting as (
      select id, mint, number from reward_rounds
      where state <> 'done' and state in ('observing', 'collecting', 'selling')
      union all
      select id, mint, number from reward_rounds where state = 'done' and note = ${sql.lit(FOUND_NOTE)}
    )
    select id, waiting.mint, number, root from waiting
    join reward_transactions as seal on seal.round_id = id and root is not null
    where not exists (select from reward_payouts where round_id = id)
    order by waiting.mint, number`.execute(db);
  return rows;
}

/** False from another state. */
export async function advance(db: Db, id: string, from: RewardRoundState, to: Exclude<RewardRoundState, 'done'>) {
  const { numUpdatedRows } = await db
    .updateTable('rewardRounds')
    .set({ state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The average price that the sale's newest try is bounded by. */
export async function noteSaleAverage(db: Db, id: string, saleAverage: string): Promise<void> {
  await db.updateTable('rewardRounds').set({ saleAverage }).where('id', '=', id).execute();
}

export async function noteSale(db: Db, id: string, saleNote: string | null): Promise<void> {
  await db.updateTable('rewardRounds').set({ saleNote }).where('id', '=', id).execute();
}

/** No reader may be shown a plan as the round's that the chain does not commit to. */
const rootOfFinalSeal = sql<string | null>`case when exists (
  select from reward_transactions as seal where seal.round_id = reward_rounds.id and seal.root = sealed_root
) then sealed_root end`;

/** Deletes observed balances, and the root of a plan whose seal is not final. `note`: anything unusual. */
export function end(db: Db, id: string, note: string | null): Promise<void> {
  return transaction(db, async (tx) => {
    const ended = { state: 'done', endedAt: sql<Date>`now()`, problem: null, problemAt: null, note } as const;
    await tx
      .updateTable('rewardRounds')
      .set({ ...ended, sealedRoot: rootOfFinalSeal })
      .where('id', '=', id)
      .where('state', '<>', 'done')
      .execute();
    const removed = { balances: null, withheld: null, otherAccounts: null };
    await tx.updateTable('rewardSnapshots').set(removed).where('roundId', '=', id).execute();
  });
}

export async function noteProblem(db: Db, id: string, problem: string): Promise<void> {
  await db
    .updateTable('rewardRounds')
    .set({ problem, problemAt: sql`now()`, tries: sql`tries + 1` })
    .where('id', '=', id)
    .where('state', '<>', 'done')
    .execute();
}

export async function clearProblem(db: Db, id: string): Promise<void> {
  const none = { problem: null, problemAt: null };
  await db.updateTable('rewardRounds').set(none).where('id', '=', id).where('problem', 'is not', null).execute();
}

/** Counts open rounds. */
export async function backlog(db: Db): Promise<number> {
  const { open } = await db
    .selectFrom('rewardRounds')
    .select((eb) => eb.fn.countAll<bigint>().as('open'))
    .where('state', '<>', 'done')
    .executeTakeFirstOrThrow();
  return Number(open);
}
