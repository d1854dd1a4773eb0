import { sql } from 'kysely';
import type { LaunchMode } from '../../domain/token-facts.ts';
import type { Db } from '../connect.ts';

/** The position of a sweep with what its movements need. */
export interface SweptPosition {
  readonly mint: string;
  readonly pool: string;
  readonly feeKeyMint: string;
  readonly quoteMint: string;
  readonly quoteId: string;
  readonly mode: LaunchMode;
  /** Slot of the launch, before which nothing of it can have landed. */
  readonly createdSlot: bigint;
}

/** A position of the platform whose pool changed since the last look at its fees. */
export interface DuePosition extends SweptPosition {
  /** The pool account's hash, to be noted once it was looked at. */
  readonly seen: string | null;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

/** The position of the platform in a launched token; null where it has none. */
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

/**
 * Positions of the platform in finalized launches whose pools changed since their fees were looked at, and which have no open
 * harvest: those after this pool, by pool.
 */
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
