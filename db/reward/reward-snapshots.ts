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

/** What was read of the chain. */
export interface SnapshotReading {
  readonly readSlot: bigint;
  readonly balances: Balances;
  /** Accounts in which tax lay withheld, raw units by address (base58); null where it was not asked for. */
  readonly withheld: Balances | null;
}

/** Keeps what was read; the first answer counts. */
export async function keep(
  db: Db,
  roundId: string,
  n: number,
  { readSlot, balances, withheld }: SnapshotReading,
): Promise<void> {
  await db
    .updateTable('rewardSnapshots')
    .set({ readSlot, balances: textOf(balances), withheld: withheld && textOf(withheld) })
    .where('roundId', '=', roundId)
    .where('n', '=', n)
    .where('readSlot', 'is', null)
    .execute();
}

function textOf(amounts: Balances): string {
  return JSON.stringify(Object.fromEntries([...amounts].map(([address, raw]) => [address, String(raw)])));
}

function amountsIn(roundId: string, value: object | null): Map<string, bigint> {
  if (!BalancesShape.Check(value)) throw new Error(`the balances of reward round ${roundId} cannot be read`);
  return new Map(Object.entries(value).map(([address, raw]) => [address, BigInt(raw)]));
}

/** Where tax lay withheld at the last observation of a round, raw units by account (base58); null where that was not kept. */
export async function withheld(db: Db, roundId: string): Promise<Map<string, bigint> | null> {
  const row = await db
    .selectFrom('rewardSnapshots')
    .select('withheld')
    .where('roundId', '=', roundId)
    .where('withheld', 'is not', null)
    .orderBy('n', 'desc')
    .executeTakeFirst();
  return row ? amountsIn(roundId, row.withheld) : null;
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
  return rows.map(({ balances }) => amountsIn(roundId, balances));
}
