import { PublicKey } from '@solana/web3.js';
import type { PositionAddresses } from '../../chain/exchange/position-fees.ts';
import type { Db } from '../../db/connect.ts';
import * as tokens from '../../db/tokens.ts';
import type { TokenRecord } from '../../db/tokens.ts';
import { AppError } from '../../domain/errors.ts';

/** Null without a position. */
export interface CreatorPosition {
  readonly token: TokenRecord;
  readonly position: PositionAddresses | null;
}

export const NO_POSITION_REASON =
  'a reward coin has no creator position: its transfer tax and its fees are paid to holders';

/** @throws AppError `not_found` */
export async function findCreatorPosition(db: Db, mint: string): Promise<CreatorPosition> {
  const token = await tokens.byMint(db, mint);
  if (!token) throw new AppError('not_found', `no token has the mint ${mint}`);
  const creators = (await tokens.positions(db, mint)).find(({ holder }) => holder === 'creator');
  return { token, position: creators ? positionOf(token, creators.feeKeyMint) : null };
}

/** @throws AppError `forbidden` without a creator position */
export async function requireCreatorPosition(db: Db, mint: string) {
  const { token, position } = await findCreatorPosition(db, mint);
  if (!position) throw new AppError('forbidden', NO_POSITION_REASON);
  return { token, position };
}

function positionOf(token: TokenRecord, feeKeyMint: string): PositionAddresses {
  return {
    mint: new PublicKey(token.mint),
    quoteMint: new PublicKey(token.quoteMint),
    pool: new PublicKey(token.pool),
    feeKeyMint: new PublicKey(feeKeyMint),
  };
}
