/** Reward tokens as their rounds know them. */

import { type Selectable, sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { RewardTokenTable } from '../schema/reward.ts';

/** A reward token with its pot and what its holders got. */
export type RewardToken = Selectable<RewardTokenTable>;

/** A reward token to be looked at. */
export interface RewardCandidateToken {
  readonly mint: string;
  /** Null before it was looked at for the first time. */
  readonly pot: string | null;
}

/** The token as its rounds know it, or null. */
export async function byMint(db: Db, mint: string): Promise<RewardToken | null> {
  return (await db.selectFrom('rewardTokens').selectAll().where('mint', '=', mint).executeTakeFirst()) ?? null;
}

/** Reward tokens without an open round, those not looked at for longest first. */
export function due(db: Db, limit: number): Promise<RewardCandidateToken[]> {
  return db
    .selectFrom('tokens')
    .leftJoin('rewardTokens', 'rewardTokens.mint', 'tokens.mint')
    .select(['tokens.mint', 'rewardTokens.pot'])
    .where(sql<boolean>`tokens.mode = 'reward' and tokens.withdrawn_at is null`)
    .where(
      sql<boolean>`not exists (select from reward_rounds where reward_rounds.mint = tokens.mint and state <> 'done')`,
    )
    .orderBy('rewardTokens.lookedAt', (order) => order.asc().nullsFirst())
    .orderBy('tokens.mint')
    .limit(limit)
    .execute();
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

/** A look found nothing to do, or planned a round. */
export async function noteLook(db: Db, mint: string): Promise<void> {
  await db
    .updateTable('rewardTokens')
    .set({ lookedAt: sql`now()` })
    .where('mint', '=', mint)
    .execute();
}
