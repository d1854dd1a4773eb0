import { sql } from 'kysely';
import type { LaunchMode } from '../../domain/token-facts.ts';
import { type Db, transaction } from '../connect.ts';

export interface UncountedToken {
  readonly mint: string;
  readonly mode: LaunchMode;
  readonly creator: string;
}

export interface HolderCount {
  readonly mint: string;
  readonly holders: number;
  readonly slot: bigint;
}

/** Lists tokens traded since their last count, oldest first, none counted after `before`. */
export async function tokensToCount(db: Db, before: Date, limit: number): Promise<UncountedToken[]> {
  const { rows } = await sql<UncountedToken>`
    select tokens.mint, tokens.mode, tokens.creator from pool_cursors as cursor join tokens using (mint)
    where cursor.finalized_slot > coalesce(cursor.holders_slot, -1)
      and (cursor.holders_counted_at is null or cursor.holders_counted_at <= ${before})
      and tokens.withdrawn_at is null
    order by cursor.holders_counted_at nulls first limit ${limit}`.execute(db);
  return rows;
}

/** Ignores a count of an older slot. */
export async function noteHolders(db: Db, { mint, holders, slot }: HolderCount, countedAt: Date): Promise<void> {
  await transaction(db, async (tx) => {
    const noted = await tx
      .updateTable('poolCursors')
      .set({ holdersSlot: slot, holdersCountedAt: countedAt })
      .where('mint', '=', mint)
      .where((eb) => eb.or([eb('holdersSlot', 'is', null), eb('holdersSlot', '<=', slot)]))
      .executeTakeFirst();
    if (noted.numUpdatedRows === 0n) return;
    await tx.updateTable('tokenMarkets').set({ holders }).where('mint', '=', mint).execute();
  });
}

export async function postponeCount(db: Db, mint: string, triedAt: Date): Promise<void> {
  await db.updateTable('poolCursors').set({ holdersCountedAt: triedAt }).where('mint', '=', mint).execute();
}
