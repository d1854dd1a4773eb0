import { type Selectable, sql } from 'kysely';
import type { Db } from '../connect.ts';
import type { RewardTokenTable } from '../schema.ts';

/** A reward token with its pot and what its holders got. */
export type RewardToken = Selectable<RewardTokenTable>;

/** A reward token to be looked at. */
export interface RewardCandidateToken {
  readonly mint: string;
  /** Null before it was looked at for the first time. */
  readonly pot: string | null;
}

export type RewardTokenRepository = ReturnType<typeof createRewardTokenRepository>;

/** Reward tokens as their rounds know them. */
export function createRewardTokenRepository(db: Db) {
  return {
    byMint: (mint: string) => byMint(db, mint),
    /** Reward tokens without an open round, those not looked at for longest first. */
    due: (limit: number) => due(db, limit),
    /** Notes a token's pot; one that has a pot keeps it. Answers the row as it stands. */
    open: (mint: string, seedId: string, pot: string) => open(db, { mint, seedId, pot }),
    /** A look found nothing to do, or planned a round. */
    noteLook: (mint: string) => noteLook(db, mint),
  };
}

async function byMint(db: Db, mint: string): Promise<RewardToken | null> {
  return (await db.selectFrom('rewardTokens').selectAll().where('mint', '=', mint).executeTakeFirst()) ?? null;
}

function due(db: Db, limit: number): Promise<RewardCandidateToken[]> {
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

async function open(db: Db, row: { mint: string; seedId: string; pot: string }): Promise<RewardToken> {
  await db
    .insertInto('rewardTokens')
    .values(row)
    .onConflict((conflict) => conflict.column('mint').doNothing())
    .execute();
  return db.selectFrom('rewardTokens').selectAll().where('mint', '=', row.mint).executeTakeFirstOrThrow();
}

async function noteLook(db: Db, mint: string): Promise<void> {
  await db
    .updateTable('rewardTokens')
    .set({ lookedAt: sql`now()` })
    .where('mint', '=', mint)
    .execute();
}
