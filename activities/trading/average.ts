import { swapsNotBorneOut, type SwapWitness } from '../../chain/market/agreed-swap.ts';
import type { Db } from '../../db/connect.ts';
import { averagePrice, boundsOfAverage } from '../../db/prices/average-price.ts';
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
 * The average price of a launched token over the last minutes, from its stored final swaps: whole quote tokens per token. These are
 * one RPC endpoint's word: money asks `agreedAverageOf`.
 * Throws while the index of the market does not get on with the token's pool: its prices are not known then.
 */
export async function averageOf(deps: AverageDeps, mint: string, minutes: number): Promise<string> {
  const { span } = await averagedMarket(deps, mint, minutes);
  return averagePrice(deps.db, span);
}

/**
 * The same where a quorum of RPC endpoints bears out the swaps between whose prices all others lie, so that nothing but a price that
 * stood in that quarter of the time could have been invented. Throws where it does not.
 */
export async function agreedAverageOf(deps: AverageDeps & SwapWitness, mint: string, minutes: number): Promise<string> {
  const { cursor, span } = await averagedMarket(deps, mint, minutes);
  const [average, bounds] = await Promise.all([averagePrice(deps.db, span), boundsOfAverage(deps.db, span)]);
  const [invented] = await swapsNotBorneOut(deps, cursor, bounds);
  if (!invented) return average;
  throw new Error(
    `no quorum of RPC endpoints has swap ${invented.signature} of ${mint} as it is stored: see "market check"`,
  );
}

async function averagedMarket({ db, now }: AverageDeps, mint: string, minutes: number) {
  const [cursor, launch] = await Promise.all([poolCursors.byMint(db, mint), launches.byMint(db, mint)]);
  if (!cursor || !launch?.launchedAt) throw new Error(`the market of ${mint} is not indexed`);
  if (cursor.gap !== null) throw new Error(`the market of ${mint} has a gap: ${cursor.gap}`);
  const { sqrtPriceX64, baseIsToken0 } = launch.terms.opening;
  const { baseDecimals, quoteDecimals } = cursor;
  const pool = { sqrtPriceX64: BigInt(sqrtPriceX64), baseIsToken0, baseDecimals, quoteDecimals };
  const to = now();
  const from = new Date(to.getTime() - minutes * MINUTE_MS);
  const span = { mint, from, to, openingPrice: priceInQuote(pool), openedAt: launch.launchedAt };
  return { cursor, span };
}
