/** The ledger of the pots. */

import { type Selectable, sql } from 'kysely';
import type { RewardTransactionKind } from '../../domain/reward/state.ts';
import { type Db, transaction } from '../connect.ts';
import type { RewardTransactionTable } from '../schema/reward.ts';

/** One transaction of a round, planned or done. */
export type RewardTransaction = Selectable<RewardTransactionTable>;

/** What a finalized transaction of a round moved. Raw units. */
export interface RewardMovement {
  readonly signature: string;
  readonly slot: bigint;
  readonly landedAt: Date;
  /** Changes of the pot's balances. */
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  /** Quote tokens that left the pot for holders, and how many got some. */
  readonly paidRaw: bigint;
  readonly recipients: number;
  /** What the paid tokens were worth, USD; null where no price of that time is known. */
  readonly valueUsd: string | null;
}

/** Which transaction of which round. */
export interface RewardTransactionKey {
  readonly roundId: string;
  readonly n: number;
}

/** What is in a pot by the books, raw units. */
export interface RewardFunds {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

/** A transaction of a round that the books do not have. */
export interface FoundRewardTransaction extends RewardTransactionKey {
  readonly mint: string;
  /** Of the round. */
  readonly number: number;
  readonly kind: RewardTransactionKind;
  readonly movement: RewardMovement;
}

/** The transactions of a round, in order. */
export function ofRound(db: Db, roundId: string, kind?: RewardTransactionKind): Promise<RewardTransaction[]> {
  return db
    .selectFrom('rewardTransactions')
    .selectAll()
    .where('roundId', '=', roundId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .orderBy('n')
    .execute();
}

/** One transaction of a round; undefined where there is none. */
export function byKey(db: Db, { roundId, n }: RewardTransactionKey): Promise<RewardTransaction | undefined> {
  const row = db.selectFrom('rewardTransactions').selectAll().where('roundId', '=', roundId).where('n', '=', n);
  return row.executeTakeFirst();
}

/** What is left of a round's payouts. */
export interface PlannedPayouts {
  /** Numbers of the next transactions, in order. */
  readonly next: readonly number[];
  /** How many are planned, those among them. */
  readonly planned: number;
}

/** The next transactions of payouts that are planned, at most so many: of a round of thousands each step looks at its own alone. */
export async function plannedPayouts(db: Db, roundId: string, most: number): Promise<PlannedPayouts> {
  const rows = await db
    .selectFrom('rewardTransactions')
    .select(['n', sql<bigint>`count(*) over ()`.as('planned')])
    .where('roundId', '=', roundId)
    .where('kind', '=', 'payout')
    .where('state', '=', 'planned')
    .orderBy('n')
    .limit(most)
    .execute();
  return { next: rows.map(({ n }) => n), planned: Number(rows[0]?.planned ?? 0) };
}

/** Locks a transaction and answers whether it is still planned. */
export async function lockPlanned(db: Db, { roundId, n }: RewardTransactionKey): Promise<boolean> {
  const row = await db
    .selectFrom('rewardTransactions')
    .select('state')
    .where('roundId', '=', roundId)
    .where('n', '=', n)
    .forUpdate()
    .executeTakeFirst();
  return row?.state === 'planned';
}

/** Books what a planned transaction moved, and the totals with it; one that is booked stays as it is. */
export function settle(db: Db, { roundId, n }: RewardTransactionKey, movement: RewardMovement): Promise<boolean> {
  return transaction(db, async (tx) => {
    const booked = await tx
      .updateTable('rewardTransactions')
      .set({ ...movement, state: 'done' })
      .where('roundId', '=', roundId)
      .where('n', '=', n)
      .where('state', '=', 'planned')
      .returning('mint')
      .executeTakeFirst();
    if (booked) await addToTotals(tx, booked.mint, roundId, n, movement);
    return booked !== undefined;
  });
}

/** A round counts once, with the first of its transactions that paid somebody. */
async function addToTotals(
  tx: Db,
  mint: string,
  roundId: string,
  n: number,
  { paidRaw, recipients, valueUsd, landedAt }: RewardMovement,
): Promise<void> {
  if (paidRaw === 0n) return;
  // The row is the lock: two transactions of one round take turns, so that only one is the first.
  await tx.selectFrom('rewardTokens').select('mint').where('mint', '=', mint).forUpdate().execute();
  await sql`
    update reward_tokens set paid_raw = paid_raw + ${paidRaw}::numeric, paid_usd = paid_usd + coalesce(${valueUsd}::numeric, 0),
      transactions = transactions + 1, payouts = payouts + ${recipients}, last_paid_at = greatest(last_paid_at, ${landedAt}),
      rounds = rounds + case when exists (
        select from reward_transactions where round_id = ${roundId} and n <> ${n} and state = 'done' and paid_raw > 0
      ) then 0 else 1 end
    where mint = ${mint}`.execute(tx);
}

/** There will be no such transaction. */
export async function abandon(db: Db, { roundId, n }: RewardTransactionKey): Promise<void> {
  await db
    .updateTable('rewardTransactions')
    .set({ state: 'void' })
    .where('roundId', '=', roundId)
    .where('n', '=', n)
    .where('state', '=', 'planned')
    .execute();
}

/** Whether the excess of a token's first fee sweep was brought to its pot, or is going to be. */
export async function hasExcess(db: Db, mint: string): Promise<boolean> {
  const row = await db
    .selectFrom('rewardTransactions')
    .select('n')
    .where('mint', '=', mint)
    .where(sql<boolean>`kind = 'excess'`)
    .where('state', '<>', 'void')
    .executeTakeFirst();
  return row !== undefined;
}

/** What a token's pot holds by the books: what its transactions moved, and what was corrected. */
export async function funds(db: Db, mint: string): Promise<RewardFunds> {
  const { rows } = await sql<RewardFunds>`
    select coalesce(sum(base_raw), 0)::numeric(39, 0) as base_raw, coalesce(sum(quote_raw), 0)::numeric(39, 0) as quote_raw
    from (
      select base_raw, quote_raw from reward_transactions where mint = ${mint} and state = 'done'
      union all select base_raw, quote_raw from reward_corrections where mint = ${mint}
    ) as moved`.execute(db);
  const [funds] = rows;
  if (!funds) throw new Error(`the sums of the pot of ${mint} have no row`);
  return funds;
}

/** Takes out of the books of a pot what the chain has not got, raw units. */
export async function correct(db: Db, mint: string, { baseRaw, quoteRaw }: RewardFunds): Promise<void> {
  await db.insertInto('rewardCorrections').values({ mint, baseRaw, quoteRaw }).execute();
}

/** Books a transaction that was found on the chain; the round it names is made where it is not known. False where it is known. */
export function adopt(db: Db, { roundId, n, mint, number, kind, movement }: FoundRewardTransaction): Promise<boolean> {
  return transaction(db, async (tx) => {
    const known = tx.selectFrom('rewardTransactions').select('n').where('roundId', '=', roundId).where('n', '=', n);
    if (await known.executeTakeFirst()) return false;
    const { slot: openedSlot, landedAt } = movement;
    const times = { sellAt: landedAt, plannedAt: landedAt, endedAt: landedAt };
    await tx
      .insertInto('rewardRounds')
      .values({ id: roundId, mint, number, state: 'done', openedSlot, ...times, note: 'found on the chain' })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    await tx.insertInto('rewardTransactions').values({ roundId, n, mint, kind }).execute();
    return settle(tx, { roundId, n }, movement);
  });
}
