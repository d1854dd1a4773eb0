/** Filled by the worker, taken by prepare. */

import { type Selectable, sql } from 'kysely';
import type { LaunchAddresses } from '../../domain/launch/terms.ts';
import { parseStoredWish, type Wish } from '../../domain/launch/terms-wish.ts';
import type { Db } from '../connect.ts';
import type { LaunchAddressTable } from '../schema/launch.ts';

export interface DerivedAddresses {
  readonly quoteId: string;
  /** They derive from it. */
  readonly seedId: string;
  readonly genesisHash: string;
  readonly addresses: LaunchAddresses;
}

/** Returns how many are new; existing ones stay. `mintSuffix`: the letters that every mint of them ends in on purpose. */
export async function addFree(
  db: Db,
  rows: readonly DerivedAddresses[],
  mintSuffix: string | null = null,
): Promise<number> {
  if (rows.length === 0) return 0;
  const added = await db
    .insertInto('launchAddresses')
    .values(rows.map((row) => ({ ...columnsOf(row), mintSuffix })))
    .onConflict((conflict) => conflict.column('quoteId').doNothing())
    .returning('quoteId')
    .execute();
  return added.length;
}

function columnsOf({ quoteId, seedId, genesisHash, addresses }: DerivedAddresses) {
  const { launchWallet, mint, positionMints, feeKeyMints } = addresses;
  const mints = { mint, positionMints: [...positionMints], feeKeyMints: [...feeKeyMints] };
  return { quoteId, seedId, genesisHash, launchWallet, ...mints };
}

/** Counts those with this suffix; null: without one. */
export async function countFree(db: Db, seedId: string, mintSuffix: string | null = null): Promise<number> {
  const { count } = await db
    .selectFrom('launchAddresses')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('seedId', '=', seedId)
    .where('takenAt', 'is', null)
    .where('mintSuffix', 'is not distinct from', mintSuffix)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function countAllFree(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('launchAddresses')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('takenAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Takes addresses for a quote, with what it was asked for. Those with a suffix first, else one without at once; then
 * the oldest. Null if none is free. Concurrent callers get different rows.
 */
export async function takeOne(db: Db, wish: Wish): Promise<DerivedAddresses | null> {
  const row = await db
    .updateTable('launchAddresses')
    .set({ takenAt: sql`now()`, wish: JSON.stringify(parseStoredWish(wish)) })
    .where('quoteId', '=', (eb) =>
      eb
        .selectFrom('launchAddresses')
        .select('quoteId')
        .where('takenAt', 'is', null)
        .orderBy(sql`mint_suffix is null`)
        .orderBy('createdAt')
        .orderBy('quoteId')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
  return row ? toDerivedAddresses(row) : null;
}

/** Taken rows stay. */
export async function discardFree(db: Db, heldSeedIds: readonly string[]): Promise<number> {
  const deleted = await db
    .deleteFrom('launchAddresses')
    .where('takenAt', 'is', null)
    .where(sql<boolean>`seed_id <> all (${heldSeedIds}::text[])`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** Deletes free addresses with another suffix; returns how many. Taken rows and those without a suffix stay. */
export async function discardOtherSuffixes(db: Db, mintSuffix: string | null): Promise<number> {
  const deleted = await db
    .deleteFrom('launchAddresses')
    .where('takenAt', 'is', null)
    .where('mintSuffix', 'is not', null)
    .where('mintSuffix', 'is distinct from', mintSuffix)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** Returns what a quote was asked for: null if release 0.1.0 took its addresses, undefined if they are not taken. */
export async function wishOf(db: Db, quoteId: string): Promise<Wish | null | undefined> {
  const row = await db
    .selectFrom('launchAddresses')
    .select('wish')
    .where('quoteId', '=', quoteId)
    .where('takenAt', 'is not', null)
    .executeTakeFirst();
  return row && (row.wish === null ? null : parseStoredWish(row.wish));
}

export async function byQuoteId(db: Db, quoteId: string): Promise<DerivedAddresses | null> {
  const row = await db.selectFrom('launchAddresses').selectAll().where('quoteId', '=', quoteId).executeTakeFirst();
  return row ? toDerivedAddresses(row) : null;
}

function toDerivedAddresses(row: Selectable<LaunchAddressTable>): DerivedAddresses {
  const { quoteId, seedId, genesisHash, launchWallet, mint } = row;
  const positionMints = twoOf(row.positionMints, `position mints of ${quoteId}`);
  const feeKeyMints = twoOf(row.feeKeyMints, `Fee Key mints of ${quoteId}`);
  return { quoteId, seedId, genesisHash, addresses: { launchWallet, mint, positionMints, feeKeyMints } };
}

function twoOf(values: readonly string[], what: string): [string, string] {
  const [first, second, ...rest] = values;
  if (first === undefined || second === undefined || rest.length > 0) {
    throw new Error(`${what}: expected two, got ${values.length}`);
  }
  return [first, second];
}
