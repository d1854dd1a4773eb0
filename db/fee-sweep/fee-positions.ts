import { sql } from 'kysely';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';

export interface SweptPosition {
  readonly mint: string;
  readonly pool: string;
  readonly feeKeyMint: string;
  readonly quoteMint: string;
  readonly quoteId: string;
  readonly mode: LaunchMode;
  /** Nothing of the launch landed earlier. */
  readonly createdSlot: bigint;
}

/** Its pool changed since the last check. */
export interface DuePosition extends SweptPosition {
  /** To store after the check. */
  readonly seen: string | null;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

/** The platform's, or null. */
export async function positionOf(db: Db, mint: string): Promise<SweptPosition | null> {
  return (await positionsOf(db).where('positions.mint', '=', mint).executeTakeFirst()) ?? null;
}

function positionsOf(db: Db) {
  return db
    .selectFrom('positions')
    .innerJoin('tokens', 'tokens.mint', 'positions.mint')
    .innerJoin('launches', 'launches.quoteId', 'tokens.quoteId')
    .where('positions.holder', '=', 'platform')
    .select(['positions.mint', 'positions.feeKeyMint', 'tokens.pool', 'tokens.quoteMint', 'launches.quoteId'])
    .select(['tokens.mode', 'tokens.createdSlot']);
}

/** Lists positions of finalized launches without an open harvest, by pool after `after`. */
export function duePositions(db: Db, after: string, limit: number): Promise<DuePosition[]> {
  return positionsOf(db)
    .innerJoin('poolCursors', 'poolCursors.pool', 'tokens.pool')
    .innerJoin('pairs', 'pairs.mint', 'tokens.quoteMint')
    .select(['poolCursors.seen', 'tokens.decimals as baseDecimals', 'pairs.decimals as quoteDecimals'])
    .where(sql<boolean>`pool_cursors.seen is distinct from pool_cursors.fees_seen`)
    .where('launches.state', '=', 'finalized')
    .where('tokens.withdrawnAt', 'is', null)
    .where('poolCursors.pool', '>', after)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('feeSweeps')
            .select('number')
            .whereRef('feeSweeps.mint', '=', 'tokens.mint')
            .where(sql<boolean>`fee_sweeps.state <> 'done' and fee_sweeps.number > 0`),
        ),
      ),
    )
    .orderBy('poolCursors.pool')
    .limit(limit)
    .execute();
}
