/** Planned before any is sent, marked by what landed. */

import { type Insertable, type Selectable, sql } from 'kysely';
import * as documents from '../proof/documents.ts';
import type { PackedDocument } from '../proof/documents.ts';
import { type Db, transaction } from '../connect.ts';
import { batchesOf } from '../../domain/batches.ts';
import type { AccountFaultReason, LeftOutReason } from '../../domain/reward/left-out.ts';
import * as rewardLeftOut from './reward-left-out.ts';
import type { PlannedLeftOut } from './reward-left-out.ts';
import * as rewardRounds from './reward-rounds.ts';
import type { RewardValuation } from './reward-rounds.ts';
import type { RewardTransactionKey } from './reward-transactions.ts';
import type { RewardPayoutTable } from '../schema/reward.ts';

export type RewardPayout = Selectable<RewardPayoutTable>;

/** `n`: its transaction's place in the round. */
export type NewRewardPayout = Pick<
  Insertable<RewardPayoutTable>,
  'owner' | 'kind' | 'n' | 'balanceRaw' | 'amountRaw' | 'rentRaw'
>;

export interface PlannedSeal {
  readonly n: number;
  readonly document: PackedDocument;
}

export interface PayoutPlan {
  readonly roundId: string;
  readonly mint: string;
  readonly budgetRaw: bigint;
  /** At every observation. */
  readonly holders: number;
  /** Raw, and raw quote units. */
  readonly minimumRaw: bigint;
  readonly leastPayoutRaw: bigint;
  readonly leftOut: PlannedLeftOut;
  readonly valuation: RewardValuation;
  readonly payouts: readonly NewRewardPayout[];
  /** Before the first payout; null without payouts. */
  readonly seal: PlannedSeal | null;
  /** Null if something is paid. */
  readonly note: string | null;
}

/** Rows per insert: PostgreSQL takes at most 65,535 parameters. */
const ROWS_PER_INSERT = 5_000;

/**
 * Stores the plan with its document and those left out. The round is then due to be sealed, or ends without payouts.
 * An existing plan stays.
 */
export function plan(db: Db, plan: PayoutPlan): Promise<void> {
  const { roundId, mint, payouts, note, valuation, leftOut, seal, ...facts } = plan;
  return transaction(db, async (tx) => {
    if ((await rewardRounds.lock(tx, roundId)).state !== 'selling') return;
    await tx
      .updateTable('rewardRounds')
      .set({ ...valuation, ...facts })
      .where('id', '=', roundId)
      .execute();
    await rewardLeftOut.record(tx, roundId, leftOut);
    if (payouts.length === 0) return rewardRounds.end(tx, roundId, note);
    if (seal === null) throw new Error(`the plan of reward round ${roundId} has payouts and nothing to seal`);
    await planSeal(tx, { roundId, mint }, seal);
    const batches = [...new Set(payouts.map(({ n }) => n))];
    const rows = batches.map((n) => ({ roundId, mint, n, kind: 'payout' as const }));
    for (const page of batchesOf(rows, ROWS_PER_INSERT))
      await tx.insertInto('rewardTransactions').values(page).execute();
    const planned = payouts.map((payout) => ({ ...payout, roundId }));
    for (const page of batchesOf(planned, ROWS_PER_INSERT)) {
      await tx.insertInto('rewardPayouts').values(page).execute();
    }
    await rewardRounds.advance(tx, roundId, 'selling', 'sealing');
  });
}

async function planSeal(tx: Db, { roundId, mint }: Pick<PayoutPlan, 'roundId' | 'mint'>, { n, document }: PlannedSeal) {
  await documents.store(tx, document);
  await tx.updateTable('rewardRounds').set({ sealedRoot: document.root }).where('id', '=', roundId).execute();
  await tx.insertInto('rewardTransactions').values({ roundId, mint, n, kind: 'seal' }).execute();
}

export function ofBatch(db: Db, { roundId, n }: RewardTransactionKey): Promise<RewardPayout[]> {
  const rows = db.selectFrom('rewardPayouts').selectAll().where('roundId', '=', roundId).where('n', '=', n);
  return rows.orderBy('kind').orderBy('owner').execute();
}

export async function noteFaults(
  db: Db,
  { roundId, n }: RewardTransactionKey,
  faults: ReadonlyMap<string, AccountFaultReason>,
): Promise<void> {
  for (const [owner, fault] of faults) {
    await db
      .updateTable('rewardPayouts')
      .set({ fault })
      .where('roundId', '=', roundId)
      .where('n', '=', n)
      .where('owner', '=', owner)
      .where('state', '=', 'planned')
      .execute();
  }
}

/**
 * Marks payouts of a transaction that landed, or will not: `paid` owners as paid, others as left out for their
 * recorded fault, else for `otherwise`.
 */
export function mark(
  db: Db,
  { roundId, n }: RewardTransactionKey,
  paid: readonly string[],
  otherwise: LeftOutReason = 'notRecorded',
): Promise<void> {
  const isPaid = sql<boolean>`owner = any(${[...paid]}::text[])`;
  return transaction(db, async (tx) => {
    const marked = await tx
      .updateTable('rewardPayouts')
      .set({
        state: sql`case when ${isPaid} then 'paid' else 'void' end`,
        paidAt: sql`case when ${isPaid} then (select landed_at from reward_transactions as moved
          where moved.round_id = ${roundId}::uuid and moved.n = ${n}::integer) end`,
      })
      .where('roundId', '=', roundId)
      .where('n', '=', n)
      .where('state', '=', 'planned')
      .returning(['owner', 'kind', 'state', 'balanceRaw', 'fault'])
      .execute();
    const owners = marked
      .filter(({ kind, state }) => kind === 'holder' && state === 'void')
      .map(({ owner, balanceRaw, fault }) => ({ owner, balanceRaw, reason: fault ?? otherwise }));
    await rewardLeftOut.record(tx, roundId, { owners, belowMinimum: 0 });
  });
}

export async function holdersOf(db: Db, roundId: string): Promise<{ readonly planned: number; readonly paid: number }> {
  const { planned, paid } = await db
    .selectFrom('rewardPayouts')
    .select(({ fn }) => [
      fn.countAll<bigint>().as('planned'),
      fn.countAll<bigint>().filterWhere('state', '=', 'paid').as('paid'),
    ])
    .where('roundId', '=', roundId)
    .where('kind', '=', 'holder')
    .executeTakeFirstOrThrow();
  return { planned: Number(planned), paid: Number(paid) };
}

/** Lists payouts, largest first. */
export function ofRound(db: Db, roundId: string): Promise<RewardPayout[]> {
  const rows = db.selectFrom('rewardPayouts').selectAll().where('roundId', '=', roundId);
  return rows.orderBy('amountRaw', 'desc').orderBy('owner').execute();
}
