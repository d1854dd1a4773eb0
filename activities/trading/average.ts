import type { Db } from '../../db/connect.ts';
import { averagePrice } from '../../db/prices/average-price.ts';
import * as launches from '../../db/launch/launches.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import { priceInQuote } from '../../domain/pool-price.ts';

/** What the average price of a token is read with. */
export interface AverageDeps {
  readonly db: Db;
  readonly now: () => Date;
}

const MINUTE_MS = 60_000;

/**
 * The average price of a launched token over the last minutes, from its stored final swaps: whole quote tokens per token.
 * Throws while the index of the market does not get on with the token's pool: its prices are not known then.
 */
export async function averageOf({ db, now }: AverageDeps, mint: string, minutes: number): Promise<string> {
  const [cursor, launch] = await Promise.all([poolCursors.byMint(db, mint), launches.byMint(db, mint)]);
  if (!cursor || !launch?.launchedAt) throw new Error(`the market of ${mint} is not indexed`);
  if (cursor.gap !== null) throw new Error(`the market of ${mint} has a gap: ${cursor.gap}`);
  const { sqrtPriceX64, baseIsToken0 } = launch.terms.opening;
  const { baseDecimals, quoteDecimals } = cursor;
  const pool = { sqrtPriceX64: BigInt(sqrtPriceX64), baseIsToken0, baseDecimals, quoteDecimals };
  const to = now();
  const from = new Date(to.getTime() - minutes * MINUTE_MS);
  const opening = { openingPrice: priceInQuote(pool), openedAt: launch.launchedAt };
  return averagePrice(db, { mint, from, to, ...opening });
}
