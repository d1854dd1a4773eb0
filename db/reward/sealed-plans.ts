/** Plans that come back from sealed documents, after a restored database lost them. */

import { batchesOf } from '../../domain/batches.ts';
import type { SealedPayout, SealedPlan } from '../../domain/reward/sealed-plan.ts';
import { type Db, transaction } from '../connect.ts';
import type { Unsigned } from '../money/due-lock.ts';
import * as rewardLeftOut from './reward-left-out.ts';
import * as rewardPayouts from './reward-payouts.ts';
import * as rewardRounds from './reward-rounds.ts';
import * as rewardSnapshots from './reward-snapshots.ts';
import type { PlannedOfRound } from './reward-transactions.ts';
import { inState } from '../../domain/in-state.ts';

export interface RestoredPlan {
  readonly plan: SealedPlan;
  /** Hex; its document is stored. */
  readonly root: string;
  /** Owners whom each booked transaction paid, by number. */
  readonly paid: ReadonlyMap<number, readonly string[]>;
}

/** Rows per insert: PostgreSQL takes at most 65,535 parameters. */
const ROWS_PER_INSERT = 5_000;

/**
 * Writes the plan of a `selling` or `observing` round whose seal is final, and moves the round to `paying`. Booked
 * payouts are marked, all others are planned. False if the round is in another state.
 */
export function restore(db: Db, { plan, root, paid }: RestoredPlan): Promise<boolean> {
  const { id: roundId, payouts } = plan;
  return transaction(db, async (tx) => {
    const round = inState(await rewardRounds.lock(tx, roundId), 'selling', 'observing');
    if (!round) return false;
    await writeRound(tx, root, plan);
    await rewardSnapshots.replace(tx, roundId, plan.observations);
    await tx.deleteFrom('rewardLeftOutCounts').where('roundId', '=', roundId).execute();
    await rewardLeftOut.record(tx, roundId, { owners: plan.leftOut, belowMinimum: plan.belowMinimum });
    await writePayouts(tx, plan, payouts);
    for (const [n, owners] of paid) await rewardPayouts.mark(tx, { roundId, n }, owners);
    return rewardRounds.advance(tx, roundId, round.state, 'paying');
  });
}

async function writeRound(tx: Db, sealedRoot: string, plan: SealedPlan): Promise<void> {
  const { id, valuation, window, budgetRaw, minimumRaw, leastPayoutRaw, holders, saleAverage, saleNote } = plan;
  const observed = { windowSlot: BigInt(window.slot), windowSlots: window.slots };
  const divided = { ...valuation, budgetRaw, minimumRaw, leastPayoutRaw, holders };
  const facts = { ...observed, ...divided, saleAverage, saleNote, sealedRoot };
  await tx.updateTable('rewardRounds').set(facts).where('id', '=', id).execute();
}

/** A payout transaction that the chain showed before has its row already. */
async function writePayouts(tx: Db, { id: roundId, mint }: SealedPlan, payouts: readonly SealedPayout[]) {
  const batches = [...new Set(payouts.map(({ n }) => n))];
  const rows = batches.map((n) => ({ roundId, mint, n, kind: 'payout' as const }));
  for (const page of batchesOf(rows, ROWS_PER_INSERT))
    await tx
      .insertInto('rewardTransactions')
      .values(page)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  for (const page of batchesOf(payouts, ROWS_PER_INSERT))
    await tx
      .insertInto('rewardPayouts')
      .values(page.map((payout) => ({ ...payout, roundId })))
      .execute();
}

export async function drop({ tx, row: { roundId } }: Unsigned<PlannedOfRound>): Promise<void> {
  const ofPlan = tx.deleteFrom('rewardTransactions').where('roundId', '=', roundId).where('kind', '=', 'payout');
  // The payouts go with their transactions.
  await ofPlan.where('state', '=', 'planned').execute();
  await tx.deleteFrom('rewardLeftOutCounts').where('roundId', '=', roundId).execute();
  await tx
    .updateTable('rewardRounds')
    .set({ state: 'selling', sealedRoot: null })
    .where('id', '=', roundId)
    .where('state', '=', 'sealing')
    .execute();
}
