/** Changes are audited. */

import { sql } from 'kysely';
import * as auditLog from './platform/audit-log.ts';
import { type Db, transaction } from './connect.ts';
import type { Pair, PairStatus, PriceSource } from './schema/pairs.ts';
import { skeletonsOf } from './look-alikes.ts';
import type { Decision } from './platform/switches.ts';

export interface PairListing {
  readonly mint: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly tokenProgram: string;
  readonly category: string;
  readonly logoUrl: string | null;
  readonly priceSource: PriceSource;
  /** A Pyth feed id, or the mint. */
  readonly priceSourceId: string;
  /** Maximum age of a price, ms. */
  readonly priceMaxAgeMs: number;
  /** bps of the price. */
  readonly priceMaxConfidenceBps: number;
}

/** A pair; `launchable` if neither pair nor category is retired. */
export type PairRecord = Pair & { readonly categoryRetired: boolean; readonly launchable: boolean };

export interface PairFilter {
  readonly category?: string;
  /** Leaves out retired ones. */
  readonly launchable?: boolean;
}

function pairs(db: Db) {
  return db
    .selectFrom('pairs')
    .innerJoin('pairCategories', 'pairCategories.name', 'pairs.category')
    .selectAll('pairs')
    .select('pairCategories.retired as categoryRetired')
    .select(sql<boolean>`pairs.status = 'active' and not pair_categories.retired`.as('launchable'));
}

export function list(db: Db, { category, launchable }: PairFilter = {}): Promise<PairRecord[]> {
  return pairs(db)
    .$if(category !== undefined, (query) => query.where('pairs.category', '=', category!))
    .$if(launchable === true, (query) =>
      query.where('pairs.status', '=', 'active').where('pairCategories.retired', '=', false),
    )
    .orderBy('pairs.symbol')
    .orderBy('pairs.mint')
    .execute();
}

export async function byMint(db: Db, mint: string): Promise<PairRecord | null> {
  return (await pairs(db).where('pairs.mint', '=', mint).executeTakeFirst()) ?? null;
}

export async function byMints(db: Db, mints: readonly string[]): Promise<ReadonlyMap<string, PairRecord>> {
  const rows = await pairs(db).where('pairs.mint', 'in', mints).execute();
  return new Map(rows.map((row) => [row.mint, row]));
}

const RETIRED_AT = { active: null, retired: sql<Date>`now()` } as const satisfies Record<PairStatus, unknown>;

/** Adds a pair, or updates and relists it; creates a new category. A `retired` one is listed and closed to launches. */
export function add(
  db: Db,
  listing: PairListing,
  { actor, note }: Decision,
  status: PairStatus = 'active',
): Promise<void> {
  return transaction(db, async (tx) => {
    const name = listing.category;
    await tx
      .insertInto('pairCategories')
      .values({ name })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const { mint, ...facts } = listing;
    const rest = { ...facts, ...skeletonsOf(listing), status, retiredAt: RETIRED_AT[status] };
    await tx
      .insertInto('pairs')
      .values({ mint, ...rest })
      .onConflict((conflict) => conflict.column('mint').doUpdateSet(rest))
      .execute();
    await auditLog.append(tx, {
      actor,
      action: 'pair.add',
      subject: `pair/${mint}`,
      note,
      details: { ...listing, status },
    });
  });
}

/** Closes a pair for new launches. False without such an active pair. */
export function retire(db: Db, mint: string, { actor, note }: Decision): Promise<boolean> {
  return transaction(db, async (tx) => {
    const updated = await tx
      .updateTable('pairs')
      .set({ status: 'retired', retiredAt: sql`now()` })
      .where('mint', '=', mint)
      .where('status', '=', 'active')
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    await auditLog.append(tx, { actor, action: 'pair.retire', subject: `pair/${mint}`, note });
    return true;
  });
}

/** Retires or reopens a category. False without such a category. */
export function setCategoryRetired(
  db: Db,
  name: string,
  retired: boolean,
  { actor, note }: Decision,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    const updated = await tx.updateTable('pairCategories').set({ retired }).where('name', '=', name).executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    await auditLog.append(tx, {
      actor,
      action: 'category.set',
      subject: `category/${name}`,
      note,
      details: { retired },
    });
    return true;
  });
}
