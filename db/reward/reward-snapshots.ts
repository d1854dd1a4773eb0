/** Observations of holders' balances. What was drawn or read once stays as it is. */

import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { Balances } from '../../domain/reward/least-balances.ts';
import type { Db } from '../connect.ts';

/** A moment at which the balances of a round count. */
export interface SnapshotDraw {
  /** Place among the observations of the round, from 0. */
  readonly n: number;
  /** Finalized slot whose blockhash was drawn from. */
  readonly seenSlot: bigint;
  readonly blockhash: string;
  /** The first slot from which on the balances count. */
  readonly slot: bigint;
  /** Slots that it was drawn from, from `seenSlot` on; null for draws that did not keep it. */
  readonly partSlots: number | null;
}

/** The same with the slot the balances were read in; null while they were not. */
export interface SnapshotRecord extends SnapshotDraw {
  readonly readSlot: bigint | null;
}

const BalancesShape = Compile(Type.Record(Type.String(), Type.String({ pattern: '^[0-9]{1,20}$' })));

/** The observations of a round so far, in order. */
export function ofRound(db: Db, roundId: string): Promise<SnapshotRecord[]> {
  return db
    .selectFrom('rewardSnapshots')
    .select(['n', 'seenSlot', 'blockhash', 'slot', 'partSlots', 'readSlot'])
    .where('roundId', '=', roundId)
    .orderBy('n')
    .execute();
}

/** Keeps a drawn moment; the first draw counts. */
export async function draw(db: Db, roundId: string, draw: SnapshotDraw): Promise<void> {
  await db
    .insertInto('rewardSnapshots')
    .values({ roundId, ...draw })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Keeps what was read; the first answer counts. */
export async function keep(db: Db, roundId: string, n: number, readSlot: bigint, balances: Balances): Promise<void> {
  const text = JSON.stringify(Object.fromEntries([...balances].map(([owner, raw]) => [owner, String(raw)])));
  await db
    .updateTable('rewardSnapshots')
    .set({ readSlot, balances: text })
    .where('roundId', '=', roundId)
    .where('n', '=', n)
    .where('readSlot', 'is', null)
    .execute();
}

/** The balances of all observations of a round that were read, in order. */
export async function balances(db: Db, roundId: string): Promise<Balances[]> {
  const rows = await db
    .selectFrom('rewardSnapshots')
    .select('balances')
    .where('roundId', '=', roundId)
    .where('readSlot', 'is not', null)
    .orderBy('n')
    .execute();
  return rows.map(({ balances }) => {
    if (!BalancesShape.Check(balances)) throw new Error(`the balances of reward round ${roundId} cannot be read`);
    return new Map(Object.entries(balances).map(([owner, raw]) => [owner, BigInt(raw)]));
  });
}
