import { type Selectable, sql } from 'kysely';
import type { RewardTransactionKind } from '../../domain/reward/state.ts';
import { rewardPurpose } from '../../domain/reward/purpose.ts';
import { FOUND_NOTE } from './reward-rounds.ts';
import { type Db, transaction } from '../connect.ts';
import { type DueLock, takeDueLock, type Unsigned } from '../money/due-lock.ts';
import type { RewardTransactionTable } from '../schema/reward.ts';

export type RewardTransaction = Selectable<RewardTransactionTable>;

/** Movement by a finalized transaction. */
export interface RewardMovement {
  readonly signature: string;
  readonly slot: bigint;
  readonly landedAt: Date;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  /** From the pot to holders, with the number of recipients. */
  readonly paidRaw: bigint;
  readonly recipients: number;
  /** USD; null without a price of that time. */
  readonly valueUsd: string | null;
  /** Root that a seal names, hex; absent for all other movements. */
  readonly root?: string | null;
}

export interface RewardTransactionKey {
  readonly roundId: string;
  readonly n: number;
}

export interface RewardFunds {
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
}

export interface FoundRewardTransaction extends RewardTransactionKey {
  readonly mint: string;
  readonly number: number;
  readonly kind: RewardTransactionKind;
  readonly movement: RewardMovement;
}

/** Lists transactions in order. */
export function ofRound(db: Db, roundId: string, kind?: RewardTransactionKind): Promise<RewardTransaction[]> {
  return db
    .selectFrom('rewardTransactions')
    .selectAll()
    .where('roundId', '=', roundId)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
    .orderBy('n')
    .execute();
}

export function byKey(db: Db, { roundId, n }: RewardTransactionKey): Promise<RewardTransaction | undefined> {
  const row = db.selectFrom('rewardTransactions').selectAll().where('roundId', '=', roundId).where('n', '=', n);
  return row.executeTakeFirst();
}

/** Root that the round's finalized seal names, hex; null before it is booked. */
export async function sealedRoot(db: Db, roundId: string): Promise<string | null> {
  const seal = db.selectFrom('rewardTransactions').select('root').where('roundId', '=', roundId);
  return (await seal.where('root', 'is not', null).executeTakeFirst())?.root ?? null;
}

/** The round that a finalized seal of this root is of, or null. */
export async function roundSealedBy(db: Db, root: string): Promise<string | null> {
  const seal = db.selectFrom('rewardTransactions').select('roundId').where('root', '=', root);
  return (await seal.executeTakeFirst())?.roundId ?? null;
}

export interface PlannedPayouts {
  /** Of the next transactions, in order. */
  readonly next: readonly number[];
  readonly planned: number;
}

/** Lists at most `most` planned payouts: a step of a large round reads only its own. */
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

export interface PlannedOfRound {
  readonly roundId: string;
  readonly ns: readonly number[];
}

/** Null if no longer planned. */
export function lockDue(tx: Db, { roundId, n }: RewardTransactionKey): Promise<DueLock<PlannedOfRound> | null> {
  return takeDueLock(tx, purposesOf, async () => {
    const row = planned(tx, roundId).where('n', '=', n).forUpdate();
    return (await row.executeTakeFirst()) && { roundId, ns: [n] };
  });
}

/**
 * Checks, under the transaction's lock where its bytes are persisted, that its plan is sealed.
 * @throws when it pays by a plan that is not sealed
 */
export async function assertSealed(tx: Db, { roundId, n }: RewardTransactionKey): Promise<void> {
  const unsealed = await tx
    .selectFrom('rewardTransactions')
    .innerJoin('rewardRounds', 'rewardRounds.id', 'rewardTransactions.roundId')
    .select('n')
    .where('roundId', '=', roundId)
    .where('n', '=', n)
    .where('kind', '=', 'payout')
    .where('rewardRounds.state', '<>', 'paying')
    .executeTakeFirst();
  if (unsealed) throw new Error(`${rewardPurpose(roundId, n)} pays by a plan that is not sealed yet`);
}

/** Locks the planned transactions of a round, possibly none. */
export async function lockAllDue(tx: Db, roundId: string): Promise<DueLock<PlannedOfRound> | null> {
  return takeDueLock(tx, purposesOf, async () => {
    const rows = await planned(tx, roundId).orderBy('n').forUpdate().execute();
    return { roundId, ns: rows.map(({ n }) => n) };
  });
}

/** Locks the planned transactions of a token until the transaction ends: none can be signed. */
export async function lockPlannedOf(tx: Db, mint: string): Promise<void> {
  const rows = tx.selectFrom('rewardTransactions').select('n').where('mint', '=', mint).where('state', '=', 'planned');
  await rows.orderBy('roundId').orderBy('n').forUpdate().execute();
}

function planned(tx: Db, roundId: string) {
  const rows = tx.selectFrom('rewardTransactions').select('n').where('roundId', '=', roundId);
  return rows.where('state', '=', 'planned');
}

function purposesOf({ roundId, ns }: PlannedOfRound) {
  return ns.map((n) => rewardPurpose(roundId, n));
}

/**
 * Records the movement with the totals; a recorded one stays. A lost seal may have the number of another planned
 * transaction.
 */
export function settle(db: Db, { roundId, n }: RewardTransactionKey, movement: RewardMovement): Promise<boolean> {
  return transaction(db, async (tx) => {
    const booked = await tx
      .updateTable('rewardTransactions')
      .set({ ...movement, state: 'done', ...(typeof movement.root === 'string' && { kind: 'seal' }) })
      .where('roundId', '=', roundId)
      .where('n', '=', n)
      .where('state', '=', 'planned')
      .returning('mint')
      .executeTakeFirst();
    if (booked) await addToTotals(tx, booked.mint, roundId, n, movement);
    return booked !== undefined;
  });
}

/** A round counts once, with its first paying transaction. */
async function addToTotals(
  tx: Db,
  mint: string,
  roundId: string,
  n: number,
  { paidRaw, recipients, valueUsd, landedAt }: RewardMovement,
): Promise<void> {
  if (paidRaw === 0n) return;
  // Serializes a round's transactions: only one is the first.
  await tx.selectFrom('rewardTokens').select('mint').where('mint', '=', mint).forUpdate().execute();
  await sql`
    update reward_tokens set paid_raw = paid_raw + ${paidRaw}::numeric, paid_usd = paid_usd + coalesce(${valueUsd}::numeric, 0),
      transactions = transactions + 1, payouts = payouts + ${recipients}, last_paid_at = greatest(last_paid_at, ${landedAt}),
      rounds = rounds + case when exists (
        select from reward_transactions where round_id = ${roundId} and n <> ${n} and state = 'done' and paid_raw > 0
      ) then 0 else 1 end
    where mint = ${mint}`.execute(tx);
}

/** Abandons transactions, which must never be sent. */
export async function abandon({ tx, row: { roundId, ns } }: Unsigned<PlannedOfRound>): Promise<void> {
  if (ns.length === 0) return;
  await tx
    .updateTable('rewardTransactions')
    .set({ state: 'void' })
    .where('roundId', '=', roundId)
    .where('n', 'in', ns)
    .execute();
}

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

export async function funds(db: Db, mint: string): Promise<RewardFunds> {
  const sums = db.selectFrom('potSums').select(['baseRaw', 'quoteRaw']).where('mint', '=', mint);
  return (await sums.executeTakeFirst()) ?? { baseRaw: 0n, quoteRaw: 0n };
}

/** Records a correction by movements that the chain does not have. */
export async function correct(db: Db, mint: string, { baseRaw, quoteRaw }: RewardFunds): Promise<void> {
  await db.insertInto('rewardCorrections').values({ mint, baseRaw, quoteRaw }).execute();
}

/** Records a transaction found on the chain; creates its round if unknown. False if already recorded. */
export function adopt(db: Db, { roundId, n, mint, number, kind, movement }: FoundRewardTransaction): Promise<boolean> {
  return transaction(db, async (tx) => {
    const known = tx.selectFrom('rewardTransactions').select('n').where('roundId', '=', roundId).where('n', '=', n);
    if (await known.executeTakeFirst()) return false;
    const { slot: openedSlot, landedAt } = movement;
    const times = { sellAt: landedAt, plannedAt: landedAt, endedAt: landedAt };
    await tx
      .insertInto('rewardRounds')
      .values({ id: roundId, mint, number, state: 'done', openedSlot, ...times, note: FOUND_NOTE })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
    await tx.insertInto('rewardTransactions').values({ roundId, n, mint, kind }).execute();
    return settle(tx, { roundId, n }, movement);
  });
}
