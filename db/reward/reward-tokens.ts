import { type Selectable, sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { RewardTokenTable } from '../schema/reward.ts';

export type RewardToken = Selectable<RewardTokenTable>;

/** A token that may have collected something. */
export interface DueRewardToken {
  readonly mint: string;
  readonly pool: string;
  /** Of the pool, stored once no round is due. */
  readonly seen: string | null;
  /** False while the pool's change may not be final: a check may miss part of what was collected. */
  readonly isSettled: boolean;
}

export async function byMint(db: Db, mint: string): Promise<RewardToken | null> {
  return (await db.selectFrom('rewardTokens').selectAll().where('mint', '=', mint).executeTakeFirst()) ?? null;
}

/**
 * Lists tokens without an open round whose pool changed, or may have changed, since the last check, by pool after
 * `after`.
 */
export function due(db: Db, after: string, limit: number): Promise<DueRewardToken[]> {
  return withoutRound(db)
    .where(HAS_CHANGED)
    .where('poolCursors.pool', '>', after)
    .orderBy('poolCursors.pool')
    .limit(limit)
    .execute();
}

/**
 * Lists tokens without an open round, with an unchanged pool and no check for a week, longest first: wallet transfers
 * are taxed too.
 */
export function quiet(db: Db, limit: number): Promise<DueRewardToken[]> {
  return withoutRound(db)
    .innerJoin('rewardTokens', 'rewardTokens.mint', 'tokens.mint')
    .where((eb) => eb.not(HAS_CHANGED))
    .where('rewardTokens.lookedAt', '<', sql<Date>`now() - interval '7 days'`)
    .orderBy('rewardTokens.lookedAt')
    .orderBy('rewardTokens.mint')
    .limit(limit)
    .execute();
}

/** Lists tokens without an open round that have one of these wallets as their pot. */
export async function ofPots(db: Db, wallets: readonly string[]): Promise<DueRewardToken[]> {
  if (wallets.length === 0) return [];
  return withoutRound(db)
    .innerJoin('rewardTokens', 'rewardTokens.mint', 'tokens.mint')
    .where(sql<boolean>`pot = any(${[...wallets]}::text[])`)
    .execute();
}

const HAS_CHANGED = sql<boolean>`(pool_cursors.seen is null or pool_cursors.seen is distinct from pool_cursors.rewards_seen)`;

/** True if the pool is unchanged for longer than endpoints differ at finality. */
const IS_SETTLED = sql<boolean>`pool_cursors.changed_slot is null and pool_cursors.updated_at < now() - interval '1 minute'`;

function withoutRound(db: Db) {
  return db
    .selectFrom('poolCursors')
    .innerJoin('tokens', 'tokens.mint', 'poolCursors.mint')
    .select(['tokens.mint', 'poolCursors.pool', 'poolCursors.seen', IS_SETTLED.as('isSettled')])
    .where(sql<boolean>`tokens.mode = 'reward' and tokens.withdrawn_at is null`)
    .where(
      sql<boolean>`not exists (select from reward_rounds where reward_rounds.mint = tokens.mint and state <> 'done')`,
    );
}

/** Adds the token unless it exists; returns the row. */
export async function open(db: Db, mint: string, seedId: string, pot: string): Promise<RewardToken> {
  await db
    .insertInto('rewardTokens')
    .values({ mint, seedId, pot })
    .onConflict((conflict) => conflict.column('mint').doNothing())
    .execute();
  return db.selectFrom('rewardTokens').selectAll().where('mint', '=', mint).executeTakeFirstOrThrow();
}

/** Records a check. After an inconclusive one the token is due again in a day. */
export async function noteLook(db: Db, mint: string, isSaid: boolean): Promise<void> {
  await db
    .updateTable('rewardTokens')
    .set({ lookedAt: isSaid ? sql`now()` : sql`now() - interval '6 days'` })
    .where('mint', '=', mint)
    .execute();
}

/** Records that no round is due; another hash makes the token due again. */
export async function noteNotDue(db: Db, { pool, seen, isSettled }: DueRewardToken): Promise<void> {
  if (!isSettled) return;
  await db.updateTable('poolCursors').set({ rewardsSeen: seen }).where('pool', '=', pool).execute();
}
