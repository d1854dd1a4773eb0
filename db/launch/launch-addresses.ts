/** The pool of derived launch addresses: the worker fills it, prepare takes from it. */

import { type Selectable, sql } from 'kysely';
import type { LaunchAddresses } from '../../domain/launch/terms.ts';
import type { Db } from '../connect.ts';
import type { LaunchAddressTable } from '../schema/launch.ts';

/** Addresses derived for one launch ahead of time. */
export interface DerivedAddresses {
  readonly quoteId: string;
  /** The launch seed they come from. */
  readonly seedId: string;
  readonly genesisHash: string;
  readonly addresses: LaunchAddresses;
}

/** Adds rows and returns how many are new; a quote id that is there already is left as it is. */
export async function addFree(db: Db, rows: readonly DerivedAddresses[]): Promise<number> {
  if (rows.length === 0) return 0;
  const added = await db
    .insertInto('launchAddresses')
    .values(rows.map(columnsOf))
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

/** Number of rows of a seed that nobody has taken. */
export async function countFree(db: Db, seedId: string): Promise<number> {
  const { count } = await db
    .selectFrom('launchAddresses')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('seedId', '=', seedId)
    .where('takenAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Number of rows that nobody has taken, of whatever seed: what quotes can still be made with. */
export async function countAllFree(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('launchAddresses')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('takenAt', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Takes the oldest free row for good, or null when there is none. Concurrent callers get different rows. */
export async function takeOne(db: Db): Promise<DerivedAddresses | null> {
  const row = await db
    .updateTable('launchAddresses')
    .set({ takenAt: sql`now()` })
    .where('quoteId', '=', (eb) =>
      eb
        .selectFrom('launchAddresses')
        .select('quoteId')
        .where('takenAt', 'is', null)
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

/**
 * Removes the free rows of every seed but these and returns how many: nobody could launch with them. Rows that were
 * taken stay.
 */
export async function discardFree(db: Db, heldSeedIds: readonly string[]): Promise<number> {
  const deleted = await db
    .deleteFrom('launchAddresses')
    .where('takenAt', 'is', null)
    .where(sql<boolean>`seed_id <> all (${heldSeedIds}::text[])`)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

/** The addresses derived for a quote, or null. */
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
