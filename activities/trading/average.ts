import { unconfirmedSwaps } from '../../chain/market/agreed-swap.ts';
import type { Db } from '../../db/connect.ts';
import { averagePrice, boundsOfAverage } from '../../db/prices/average-price.ts';
import * as launches from '../../db/launch/launches.ts';
import * as poolCursors from '../../db/market/pool-cursors.ts';
import { priceInQuote } from '../../domain/pool-price.ts';
import { type IndexWitness, isIndexCurrent } from './current-index.ts';

declare const agreed: unique symbol;

/**
 * Average price by a quorum, whole quote tokens per launched token, exact decimal. Only `agreedAverageOf` makes it,
 * and it alone decides the platform's own swaps.
 */
export type AgreedAverage = string & { readonly [agreed]: true };

/** The market is not indexed, its history has a gap, or the index is behind. */
export class AverageUnknownError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'AverageUnknownError';
  }
}

export interface AverageDeps {
  readonly db: Db;
  readonly now: () => Date;
}

const MINUTE_MS = 60_000;

/**
 * Averages the last minutes of stored final swaps, which come from one endpoint: money needs `agreedAverageOf`. Throws
 * an AverageUnknownError while the index is stuck on the pool.
 */
export async function averageOf(deps: AverageDeps, mint: string, minutes: number): Promise<string> {
  const { span } = await averagedMarket(deps, mint, minutes);
  return averagePrice(deps.db, span);
}

/**
 * A quorum confirms the swaps whose prices bound all others: an invented price could only lie between confirmed ones of
 * its own quarter of the time. Throws without confirmation.
 */
export async function agreedAverageOf(
  deps: AverageDeps & IndexWitness,
  mint: string,
  minutes: number,
): Promise<AgreedAverage> {
  const { cursor, span } = await averagedMarket(deps, mint, minutes);
  if (!(await isIndexCurrent(deps, cursor, span.openingPrice)))
    throw new AverageUnknownError(`the index of the market of ${mint} is behind`);
  const [average, bounds] = await Promise.all([averagePrice(deps.db, span), boundsOfAverage(deps.db, span)]);
  const [invented] = await unconfirmedSwaps(deps, cursor, bounds);
  if (!invented) return average as AgreedAverage;
  throw new Error(
    `no quorum of RPC endpoints has swap ${invented.signature} of ${mint} as it is stored: see "market check"`,
  );
}

async function averagedMarket({ db, now }: AverageDeps, mint: string, minutes: number) {
  const [cursor, launch] = await Promise.all([poolCursors.byMint(db, mint), launches.byMint(db, mint)]);
  if (!cursor || !launch?.launchedAt) throw new AverageUnknownError(`the market of ${mint} is not indexed`);
  if (cursor.gap !== null) throw new AverageUnknownError(`the market of ${mint} has a gap: ${cursor.gap}`);
  const { sqrtPriceX64, baseIsToken0 } = launch.terms.opening;
  const { baseDecimals, quoteDecimals } = cursor;
  const pool = { sqrtPriceX64: BigInt(sqrtPriceX64), baseIsToken0, baseDecimals, quoteDecimals };
  const to = now();
  const from = new Date(to.getTime() - minutes * MINUTE_MS);
  const span = { mint, from, to, openingPrice: priceInQuote(pool), openedAt: launch.launchedAt };
  return { cursor, span };
}
