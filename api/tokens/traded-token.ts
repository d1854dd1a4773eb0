import type { Db } from '../../db/connect.ts';
import { findTradedToken, type TradedToken } from '../../db/market/trades.ts';
import { AppError } from '../../domain/errors.ts';

/** @throws AppError `not_found` */
export async function requireTradedToken(db: Db, mint: string): Promise<TradedToken> {
  const token = await findTradedToken(db, mint);
  if (!token) throw new AppError('not_found', `no token with mint ${mint} was launched here`);
  return token;
}
