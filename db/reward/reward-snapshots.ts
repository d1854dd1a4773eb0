/** A stored reading never changes. */

import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { RewardWindow } from '../../domain/reward/draw.ts';
import type { Balances } from '../../domain/reward/least-balances.ts';
import { MOST_OTHER_ACCOUNTS, type OtherAccountsByOwner } from '../../domain/reward/other-accounts.ts';
import { type Db, transaction } from '../connect.ts';

/** An observation: the drawn block, and where its balances were read. */
export interface SnapshotRecord {
  /** From 0, in the round. */
  readonly n: number;
  /** Of the drawn block. */
  readonly slot: bigint;
  readonly blockhash: string;
  /** Reached by a quorum of the answers. */
  readonly readSlot: bigint;
  /** One per endpoint that answered. */
  readonly answerSlots: readonly bigint[];
  /** A balance is the `quorum`-th largest of the answers. */
  readonly quorum: number;
}

const COLUMNS = ['n', 'slot', 'blockhash', 'readSlot', 'answerSlots', 'quorum'] as const;

const BalancesShape = Compile(Type.Record(Type.String(), Type.String({ pattern: '^[0-9]{1,20}$' })));

const AccountsShape = Compile(
  Type.Record(
    Type.String(),
    Type.Union([Type.Literal('+'), Type.Array(Type.String(), { minItems: 1, maxItems: MOST_OTHER_ACCOUNTS })]),
  ),
);

export function ofRound(db: Db, roundId: string): Promise<SnapshotRecord[]> {
  return inOrder(db, roundId).select(COLUMNS).execute();
}

function inOrder(db: Db, roundId: string) {
  return db.selectFrom('rewardSnapshots').where('roundId', '=', roundId).orderBy('n');
}

export interface SnapshotReading {
  readonly balances: Balances;
  /** Raw units by address (base58); null if not requested. */
  readonly withheld: Balances | null;
  readonly otherAccounts: OtherAccountsByOwner;
}

/** Where a reading belongs. */
export interface SnapshotPlace {
  readonly roundId: string;
  /** First slot of its window. */
  readonly windowSlot: bigint;
}

/** Stores a reading. The first one counts; none counts once the round has left the window. */
export function keep(
  db: Db,
  { roundId, windowSlot }: SnapshotPlace,
  record: SnapshotRecord,
  { balances, withheld, otherAccounts }: SnapshotReading,
): Promise<void> {
  const accounts = JSON.stringify(Object.fromEntries(otherAccounts));
  const amounts = { balances: textOf(balances), withheld: withheld && textOf(withheld), otherAccounts: accounts };
  return transaction(db, async (tx) => {
    if (!(await lockWindow(tx, roundId, windowSlot))) return;
    const values = { roundId, ...rowOf(record), ...amounts };
    await tx
      .insertInto('rewardSnapshots')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

export interface MissedWindow extends SnapshotPlace {
  /** The observation that was not made in time. */
  readonly n: number;
}

/**
 * Moves a round to another window, where it observes from the beginning. False if it has left the window, or has made
 * the observation after all.
 */
export function missWindow(db: Db, { roundId, windowSlot, n }: MissedWindow, next: RewardWindow): Promise<boolean> {
  return transaction(db, async (tx) => {
    if (!(await lockWindow(tx, roundId, windowSlot))) return false;
    if ((await ofRound(tx, roundId)).some((made) => made.n === n)) return false;
    await tx.deleteFrom('rewardSnapshots').where('roundId', '=', roundId).execute();
    const window = { windowSlot: BigInt(next.slot), windowSlots: next.slots };
    await tx.updateTable('rewardRounds').set(window).where('id', '=', roundId).execute();
    return true;
  });
}

/** Locks the round. False unless it observes in this window. */
async function lockWindow(tx: Db, roundId: string, windowSlot: bigint): Promise<boolean> {
  const round = tx.selectFrom('rewardRounds').select('id').where('id', '=', roundId).where('state', '=', 'observing');
  return (await round.where('windowSlot', '=', windowSlot).forUpdate().executeTakeFirst()) !== undefined;
}

export async function replace(tx: Db, roundId: string, records: readonly SnapshotRecord[]): Promise<void> {
  await tx.deleteFrom('rewardSnapshots').where('roundId', '=', roundId).execute();
  const rows = records.map((record) => ({ ...rowOf(record), roundId }));
  if (rows.length > 0) await tx.insertInto('rewardSnapshots').values(rows).execute();
}

function rowOf({ answerSlots, ...record }: SnapshotRecord) {
  return { ...record, answerSlots: [...answerSlots] };
}

function textOf(amounts: Balances): string {
  return JSON.stringify(Object.fromEntries([...amounts].map(([address, raw]) => [address, String(raw)])));
}

function amountsIn(roundId: string, value: object | null): Map<string, bigint> {
  if (!BalancesShape.Check(value)) throw new Error(`the balances of reward round ${roundId} cannot be read`);
  return new Map(Object.entries(value).map(([address, raw]) => [address, BigInt(raw)]));
}

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

export async function balances(db: Db, roundId: string): Promise<Balances[]> {
  const rows = await inOrder(db, roundId).select('balances').execute();
  return rows.map(({ balances }) => amountsIn(roundId, balances));
}

/** One per observation; empty if the reading has none. */
export async function otherAccounts(db: Db, roundId: string): Promise<OtherAccountsByOwner[]> {
  const rows = await inOrder(db, roundId).select('otherAccounts').execute();
  return rows.map(({ otherAccounts }) => accountsIn(roundId, otherAccounts ?? {}));
}

function accountsIn(roundId: string, value: object): OtherAccountsByOwner {
  if (!AccountsShape.Check(value)) throw new Error(`the accounts of reward round ${roundId} cannot be read`);
  return new Map(Object.entries(value));
}
