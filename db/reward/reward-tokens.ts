/** Reward tokens as their rounds know them. */

import { type Selectable, sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { RewardTokenTable } from '../schema/reward.ts';

/** A reward token with its pot and what its holders got. */
export type RewardToken = Selectable<RewardTokenTable>;

/** A reward token for which something may have come together. */
export interface DueRewardToken {
  readonly mint: string;
  readonly pool: string;
  /** The pool account's hash, to be noted once no round is due; null where nobody has seen the pool yet. */
  readonly seen: string | null;
  /** False while what changed it may not be final yet: then a look does not see all that has come together. */
  readonly isSettled: boolean;
}

/** The token as its rounds know it, or null. */
export async function byMint(db: Db, mint: string): Promise<RewardToken | null> {
  return (await db.selectFrom('rewardTokens').selectAll().where('mint', '=', mint).executeTakeFirst()) ?? null;
}

/** Reward tokens without an open round whose pools changed since no round was due, or may have: those after this pool, by pool. */
export function due(db: Db, after: string, limit: number): Promise<DueRewardToken[]> {
  return withoutRound(db)
    .where(HAS_CHANGED)
    .where('poolCursors.pool', '>', after)
    .orderBy('poolCursors.pool')
    .limit(limit)
    .execute();
}

/**
 * Reward tokens without an open round whose pools did not change, and which were not looked at for a week, those not looked at for
 * longest first: transfers between wallets are taxed too.
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

const HAS_CHANGED = sql<boolean>`(pool_cursors.seen is null or pool_cursors.seen is distinct from pool_cursors.rewards_seen)`;

/** What endpoints lag behind each other at finality is less. */
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

/** Notes a token's pot; one that has a pot keeps it. Answers the row as it stands. */
export async function open(db: Db, mint: string, seedId: string, pot: string): Promise<RewardToken> {
  await db
    .insertInto('rewardTokens')
    .values({ mint, seedId, pot })
    .onConflict((conflict) => conflict.column('mint').doNothing())
    .execute();
  return db.selectFrom('rewardTokens').selectAll().where('mint', '=', mint).executeTakeFirstOrThrow();
}

/** Notes that a token was looked at; one of which nothing could be said comes again in a day. */
export async function noteLook(db: Db, mint: string, isSaid: boolean): Promise<void> {
  await db
    .updateTable('rewardTokens')
    .set({ lookedAt: isSaid ? sql`now()` : sql`now() - interval '6 days'` })
    .where('mint', '=', mint)
    .execute();
}

/** Notes that no round was due when the pool had this hash: the token is looked at again when it has another one. */
export async function noteNotDue(db: Db, { pool, seen, isSettled }: DueRewardToken): Promise<void> {
  if (!isSettled) return;
  await db.updateTable('poolCursors').set({ rewardsSeen: seen }).where('pool', '=', pool).execute();
}
