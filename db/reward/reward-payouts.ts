/** Payouts of rounds: planned before any of them is sent, marked by what landed. */

import { type Insertable, type Selectable, sql } from 'kysely';
import { type Db, transaction } from '../connect.ts';
import { batchesOf } from '../../domain/batches.ts';
import type { AccountFaultReason, LeftOutReason } from '../../domain/reward/left-out.ts';
import * as rewardLeftOut from './reward-left-out.ts';
import type { PlannedLeftOut } from './reward-left-out.ts';
import * as rewardRounds from './reward-rounds.ts';
import type { RewardValuation } from './reward-rounds.ts';
import type { RewardTransactionKey } from './reward-transactions.ts';
import type { RewardPayoutTable } from '../schema/reward.ts';

/** What somebody gets in a round. */
export type RewardPayout = Selectable<RewardPayoutTable>;

/** A payout as it is planned; `n` is its transaction's place in the round. */
export type NewRewardPayout = Pick<
  Insertable<RewardPayoutTable>,
  'owner' | 'kind' | 'n' | 'balanceRaw' | 'amountRaw' | 'rentRaw'
>;

/** The plan of a round's payouts. */
export interface PayoutPlan {
  readonly roundId: string;
  readonly mint: string;
  readonly budgetRaw: bigint;
  /** Owners that held enough at every observation. */
  readonly holders: number;
  /** What an owner had to hold, raw units, and what a payout has to bring, raw quote units. */
  readonly minimumRaw: bigint;
  readonly leastPayoutRaw: bigint;
  readonly leftOut: PlannedLeftOut;
  readonly valuation: RewardValuation;
  readonly payouts: readonly NewRewardPayout[];
  /** Why nobody is paid; null where somebody is. */
  readonly note: string | null;
}

/** Rows of one statement; PostgreSQL takes at most 65,535 parameters. */
const ROWS_PER_INSERT = 5_000;

/**
 * Writes the plan of a round that is selling, and with it whom it leaves out and that the round pays now, or has ended where nobody is paid. A round
 * that has a plan keeps it.
 */
export function plan(db: Db, plan: PayoutPlan): Promise<void> {
  const { roundId, mint, payouts, note, valuation, leftOut, ...facts } = plan;
  return transaction(db, async (tx) => {
    if ((await rewardRounds.lock(tx, roundId)).state !== 'selling') return;
    await tx
      .updateTable('rewardRounds')
      .set({ ...valuation, ...facts })
      .where('id', '=', roundId)
      .execute();
    await rewardLeftOut.record(tx, roundId, leftOut);
    if (payouts.length === 0) return rewardRounds.end(tx, roundId, note);
    const batches = [...new Set(payouts.map(({ n }) => n))];
    const rows = batches.map((n) => ({ roundId, mint, n, kind: 'payout' as const }));
    for (const page of batchesOf(rows, ROWS_PER_INSERT))
      await tx.insertInto('rewardTransactions').values(page).execute();
    const planned = payouts.map((payout) => ({ ...payout, roundId }));
    for (const page of batchesOf(planned, ROWS_PER_INSERT)) {
      await tx.insertInto('rewardPayouts').values(page).execute();
    }
    await rewardRounds.advance(tx, roundId, 'selling', 'paying');
  });
}

/** The payouts of one transaction, by owner. */
export function ofBatch(db: Db, { roundId, n }: RewardTransactionKey): Promise<RewardPayout[]> {
  const rows = db.selectFrom('rewardPayouts').selectAll().where('roundId', '=', roundId).where('n', '=', n);
  return rows.orderBy('kind').orderBy('owner').execute();
}

/** Notes whose account takes nothing, by owner, before the transaction without them is signed: what is left out has its reason. */
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
 * Marks the payouts of a transaction that landed, or of one that will not be: these owners were paid, the others were left out, for
 * the fault of their account that was noted, or else for this reason.
 */
export function mark(
  db: Db,
  { roundId, n }: RewardTransactionKey,
  paid: readonly string[],
  otherwise: LeftOutReason = 'notRecorded',
): Promise<void> {
  return transaction(db, async (tx) => {
    const marked = await tx
      .updateTable('rewardPayouts')
      .set({ state: sql`case when owner = any(${[...paid]}::text[]) then 'paid' else 'void' end` })
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

/** How many holders a round was to pay, and how many of them it has paid. */
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

/** All payouts of a round, the greatest first. */
export function ofRound(db: Db, roundId: string): Promise<RewardPayout[]> {
  const rows = db.selectFrom('rewardPayouts').selectAll().where('roundId', '=', roundId);
  return rows.orderBy('amountRaw', 'desc').orderBy('owner').execute();
}
